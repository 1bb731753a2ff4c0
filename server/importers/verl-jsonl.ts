import { z } from 'zod';
import type { WireNumber } from '@/contract/run-events';
import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from './importer';
import { jsonLinesOf } from './lines';
import { isMetricName, jsonMetricValue, pointEvents } from './metric-values';
import { RepeatedPoints } from './repeated-points';
import { statedWhole } from './stated-whole';

const Line = z.object({ step: z.number(), data: z.custom<Record<string, unknown>>(isRecord) });

/** Looked at once a value, below: a schema of a record would copy each. */
function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** verl's file logger: `{"step": 3, "data": {"actor/lr": 1e-6}}` a line. */
export const verlJsonl: Importer = {
  format: 'verl-jsonl',
  recognises: ({ isFolder }, head) =>
    !isFolder && /^\s*\{\s*"step"\s*:\s*\d+\s*,\s*"data"\s*:\s*\{/.test(head),
  read: readJsonl,
};

async function* readJsonl(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const file = onlyFile(source);
  const cut = (line: number) => context.skip({ file: file.name, line, reason: 'the last line is cut off' });
  const repeats = new RepeatedPoints();
  for await (const { line, value } of jsonLinesOf(file, cut)) {
    const parsed = Line.safeParse(value);
    if (!parsed.success)
      throw damaged(file.name, line, 'expected {"step": a whole number, "data": {name: number}}');
    const { data } = parsed.data;
    const step = statedWhole(file.name, line, 'step', parsed.data.step);
    const points: { name: string; value: WireNumber }[] = [];
    for (const [name, raw] of Object.entries(data)) {
      const number = jsonMetricValue(raw);
      if (number !== null && isMetricName(name)) points.push({ name, value: number });
      else context.skip({ file: file.name, line, reason: `${name.slice(0, 80)} is no number` });
    }
    yield* repeats.watch(pointEvents({ file: file.name, line }, step, points));
  }
  repeats.tell(file.name, context);
}
