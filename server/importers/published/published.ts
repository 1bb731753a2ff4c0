import { AppError } from '@/contract/errors';
import {
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
} from '../importer';
import { agentgymRl } from './agentgym-rl';
import { agenticRlLab } from './agentic-rl-lab';
import { babyaiText } from './babyai-text';
import { StatedText } from './document';
import { strata } from './strata';

/** The texts whose runs Stepscope reads and compares. */
const DOCUMENTS = [strata, agentgymRl, babyaiText, agenticRlLab];

/** Figures that a published text states: counts, curves and tables, parsed from its words. */
export const published: Importer = {
  format: 'published',
  recognises: ({ isFolder }, head) => !isFolder && DOCUMENTS.some(({ mark }) => mark.test(head)),
  read: readText,
};

async function* readText(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const text = await StatedText.open(onlyFile(source));
  const document = DOCUMENTS.find(({ mark }) => mark.test(text.text));
  if (!document) throw new AppError('invalid_input', `${source.path} is none of the texts that are known`);
  const part = partOf(source.path, document.parts, context.options.part);
  for (const event of document.read(text, part, context))
    yield { file: text.file, line: null, at: null, event };
}

/** The asked run of a text, or its only one. Throws `invalid_input` listing the runs where neither says which. */
function partOf(named: string, parts: readonly string[], asked: string | null): string {
  const [only = ''] = parts;
  if (asked === null && parts.length === 1) return only;
  if (asked !== null && parts.includes(asked)) return asked;
  const wrong =
    asked === null ? `tells of ${parts.length} runs: name one with --part` : `tells of no run ${asked}`;
  throw new AppError('invalid_input', `${named} ${wrong}, expected one of ${parts.join(', ')}`);
}
