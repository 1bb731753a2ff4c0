import { AppError } from '@/contract/errors';
import { IMPORT_FORMATS, type ImportFormat } from '@/contract/imports';
import { agentgymExecutor, agentgymTrajectories } from './agentgym';
import type { Importer, ImportSource } from './importer';
import { inspect } from './inspect';
import { lmEval } from './lm-eval';
import { published } from './published/published';
import { headOf } from './source';
import { stepscopeEvents } from './stepscope-events';
import { verlConsole } from './verl-console';
import { verlCsv } from './verl-csv';
import { verlJsonl } from './verl-jsonl';
import { verlRollouts } from './verl-rollouts';

/** In the order in which they are asked whether a source is theirs. */
const IMPORTERS: readonly Importer[] = [
  stepscopeEvents,
  inspect,
  lmEval,
  agentgymExecutor,
  agentgymTrajectories,
  verlRollouts,
  verlJsonl,
  verlCsv,
  verlConsole,
  published,
];

/** The importer of a source, by its names and first bytes or by the format that was asked for. Throws `invalid_input` where there is none. */
export async function importerOf(source: ImportSource, asked: ImportFormat | null): Promise<Importer> {
  const head = await headOf(source);
  const found =
    asked === null
      ? IMPORTERS.find((importer) => importer.recognises(source, head))
      : IMPORTERS.find(({ format }) => format === asked);
  if (found) return found;
  throw new AppError(
    'invalid_input',
    `${source.path}: not recognised as any of ${IMPORTERS.map(({ format }) => format).join(', ')}; name one with --format`,
  );
}

/** Whether the files of a folder belong together, or are sources of their own. */
export async function isOneSource(source: ImportSource, asked: ImportFormat | null): Promise<boolean> {
  if (!source.isFolder) return true;
  if (asked !== null)
    return ['verl-rollouts', 'agentgym-executor', 'stepscope-events', 'lm-eval'].includes(asked);
  const head = await headOf(source);
  return IMPORTERS.some((importer) => importer.recognises(source, head));
}

export function isImportFormat(text: string): text is ImportFormat {
  return Object.hasOwn(IMPORT_FORMATS, text);
}
