import path from 'node:path';
import { z } from 'zod';
import { RelativePath } from '@/contract/checkpoint';
import { RunEvent } from '@/contract/run-events';
import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from './importer';
import { jsonLinesOf } from './lines';

const Line = z.object({ at: z.int().nonnegative(), event: z.looseObject({ kind: z.string() }) });
const CheckpointWritten = z.object({
  kind: z.literal('checkpoint:written'),
  step: z.int().nonnegative(),
  parentStep: z.int().nonnegative().nullable(),
  dir: RelativePath,
});
/** What a run without a server says to its terminal alone. */
const LEFT_OUT = ['rule:fired', 'pause:began', 'pause:ended', 'status:changed', 'progress:advanced'];

const KNOWN_KINDS: ReadonlySet<string> = new Set(RunEvent.options.map(({ shape }) => shape.kind.value));

/** `events.jsonl` as `npm run train` writes it, alone or in its folder with its checkpoints. */
export const stepscopeEvents: Importer = {
  format: 'stepscope-events',
  recognises: ({ files, isFolder }, head) =>
    isFolder
      ? files.some(({ name }) => name === 'events.jsonl')
      : /^\s*\{\s*"at"\s*:\s*\d+\s*,\s*"event"\s*:\s*\{\s*"kind"/.test(head),
  read: readEvents,
};

async function* readEvents(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const file = source.files.find(({ name }) => name === 'events.jsonl') ?? onlyFile(source);
  const cut = (line: number) => context.skip({ file: file.name, line, reason: 'the last line is cut off' });
  for await (const { line, value } of jsonLinesOf(file, cut)) {
    const parsed = Line.safeParse(value);
    if (!parsed.success) throw damaged(file.name, line, 'expected {"at": ms, "event": {"kind": ...}}');
    const { at, event } = parsed.data;
    const place = { file: file.name, line, at };
    if (event.kind === 'checkpoint:written') {
      const written = CheckpointWritten.safeParse(event);
      if (!written.success)
        throw damaged(file.name, line, 'checkpoint:written: expected step and a folder below its own');
      if (source.isFolder)
        yield {
          ...place,
          event: { ...written.data, dir: path.resolve(path.dirname(file.path), written.data.dir) },
        };
      else
        context.skip({ file: file.name, line, reason: 'its checkpoint: name the folder to read it as well' });
      continue;
    }
    if (LEFT_OUT.includes(event.kind)) continue;
    if (!KNOWN_KINDS.has(event.kind)) {
      context.skip({ file: file.name, line, reason: `${event.kind} is no event that this version knows` });
      continue;
    }
    const known = RunEvent.safeParse(event);
    if (known.success) yield { ...place, event: known.data };
    else {
      const [issue] = known.error.issues;
      throw damaged(
        file.name,
        line,
        `${event.kind}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`,
      );
    }
  }
}
