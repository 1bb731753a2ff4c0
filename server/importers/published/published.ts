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
  const part = context.options.part ?? document.parts[0] ?? '';
  if (!document.parts.includes(part))
    throw new AppError(
      'invalid_input',
      `${source.path} tells of no run ${part}, expected one of ${document.parts.join(', ')}`,
    );
  for (const event of document.read(text, part, context))
    yield { file: text.file, line: null, at: null, event };
}
