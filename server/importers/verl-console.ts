import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from './importer';
import { excerpt, linesOf } from './lines';
import { isMetricName, metricValue, pointEvents } from './metric-values';
import { RepeatedPoints } from './repeated-points';
import { statedWhole } from './stated-whole';

/** A terminal's colours: ESC, `[`, numbers, a letter. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');
const STEP_LINE = /(?:^|\s)step:(\d+) - (.*)$/;

/** What verl prints: `step:3 - actor/lr:0.001 - critic/score/mean:0.4`, whatever stands before it. */
export const verlConsole: Importer = {
  format: 'verl-console',
  recognises: ({ isFolder }, head) => !isFolder && /(^|\s)step:\d+ - [^\n]*:/m.test(head.replace(COLOUR, '')),
  read: readConsole,
};

async function* readConsole(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const file = onlyFile(source);
  let others = 0;
  let steps = 0;
  const repeats = new RepeatedPoints();
  for await (const { line, text } of linesOf(file)) {
    const [, step, metrics] = STEP_LINE.exec(text.replace(COLOUR, '').split('\r').at(-1) ?? '') ?? [];
    if (step === undefined || metrics === undefined) {
      others++;
      continue;
    }
    steps++;
    const points = [...pointsOf(file.name, line, metrics, context)];
    yield* repeats.watch(
      pointEvents({ file: file.name, line }, statedWhole(file.name, line, 'step', step), points),
    );
  }
  repeats.tell(file.name, context);
  if (steps === 0) throw damaged(file.name, null, 'no line holds step:N - name:value');
  if (others > 0)
    context.skip({ file: file.name, line: null, reason: `${others} lines hold no metrics of a step` });
}

function* pointsOf(file: string, line: number, metrics: string, context: ImportContext) {
  for (const part of metrics.split(' - ')) {
    const colon = part.lastIndexOf(':');
    const name = part.slice(0, colon).trim();
    const value = metricValue(part.slice(colon + 1));
    if (colon < 1 || value === null || !isMetricName(name))
      context.skip({ file, line, reason: `${excerpt(part)} is no name:number` });
    else yield { name, value };
  }
}
