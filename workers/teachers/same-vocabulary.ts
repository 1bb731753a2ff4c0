import type { Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';

/** Text that both must cut alike: words, numbers, white space, marks. */
export const CUT_SAMPLE =
  'Thought: I see 12 red balls.\n<think>go to  it</think> {"name": "turn_left"} é 中文 🙂';
/** Ids that a teacher is asked for over the network; of a small vocabulary all. */
const PROBED_IDS = 1024;

interface Names {
  student: string;
  teacher: string;
}

/**
 * Throws `invalid_input` unless every id is the same text to both, and both cut a text alike: a teacher's log-probability of an
 * id says something of the student's only then. The error names the first id, or the place, where they part.
 */
export function requireSameVocabulary(student: Tokenizer, teacher: Tokenizer, names: Names): void {
  if (student.vocabularySize !== teacher.vocabularySize)
    throw refusal(
      names,
      `its vocabulary has ${teacher.vocabularySize} ids, the student’s ${student.vocabularySize}`,
    );
  for (let id = 0; id < student.vocabularySize; id++) {
    const [ours, theirs] = [student.decode([id]), teacher.decode([id])];
    if (ours !== theirs) throw refusal(names, partedText(id, theirs, ours));
  }
  const [ours, theirs] = [student.encode(CUT_SAMPLE), teacher.encode(CUT_SAMPLE)];
  const parted = ours.findIndex((id, i) => theirs[i] !== id);
  if (parted >= 0 || ours.length !== theirs.length)
    throw refusal(names, partedCut(parted < 0 ? ours.length : parted));
}

/**
 * Ids by which a teacher is probed that says what text each id is: at equal distances through the vocabulary, its first and
 * its last among them, and those of the sample text. An id without a text of its own is left out.
 */
export function probeIds(student: Tokenizer): number[] {
  const { vocabularySize } = student;
  const count = Math.min(PROBED_IDS, vocabularySize);
  const spread = Array.from({ length: count }, (_, i) =>
    count === 1 ? 0 : Math.round((i * (vocabularySize - 1)) / (count - 1)),
  );
  return [...new Set([...spread, ...student.encode(CUT_SAMPLE)])].filter((id) => student.decode([id]) !== '');
}

/**
 * Throws `invalid_input` unless a teacher's texts of ids are the student's. A part of a character has no text, so only whole
 * ones are compared; one of them at least has to be said.
 */
export function requireSameTexts(
  student: Tokenizer,
  ids: readonly number[],
  texts: readonly (string | null)[],
  names: Names,
): void {
  let compared = 0;
  for (const [index, id] of ids.entries()) {
    const [ours, theirs] = [student.decode([id]), texts[index] ?? null];
    if (theirs === null || !isWhole(ours)) continue;
    compared++;
    if (ours !== theirs) throw refusal(names, partedText(id, theirs, ours));
  }
  if (compared === 0) throw refusal(names, 'it does not say what text its ids are');
}

/**
 * Throws `invalid_input` unless the sample text, as a teacher echoes it in tokens, is cut as the student cuts it. A first
 * token that the teacher puts before every text is passed over.
 */
export function requireSameCut(student: Tokenizer, cut: readonly string[], names: Names): void {
  const ours = student.encode(CUT_SAMPLE).map((id) => student.decode([id]));
  const theirs = cut.length === ours.length + 1 ? cut.slice(1) : cut;
  const parted = ours.findIndex(
    (text, i) => theirs[i] === undefined || (isWhole(text) && theirs[i] !== text),
  );
  if (parted >= 0 || ours.length !== theirs.length)
    throw refusal(names, partedCut(parted < 0 ? ours.length : parted));
}

/** Whether a token is whole characters: the bytes of a part of one have no text. */
function isWhole(text: string): boolean {
  return !text.includes('\uFFFD');
}

function partedText(id: number, theirs: string, ours: string): string {
  return `id ${id} is ${JSON.stringify(theirs)} to it, ${JSON.stringify(ours)} to the student`;
}

function partedCut(token: number): string {
  return `they cut a text differently from its token ${token} on`;
}

function refusal({ student, teacher }: Names, where: string): AppError {
  return new AppError('invalid_input', `the teacher ${teacher} cannot score tokens of ${student}: ${where}`);
}
