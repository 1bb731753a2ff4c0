import type { Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';

/** Text that both must cut alike: words, numbers, white space, marks. */
const SAMPLE = 'Thought: I see 12 red balls.\n<think>go to  it</think> {"name": "turn_left"} é 中文 🙂';

/**
 * Throws `invalid_input` unless every id is the same text to both, and both cut a text alike: a teacher's log-probability of an
 * id says something of the student's only then. The error names the first id, or the place, where they part.
 */
export function requireSameVocabulary(
  student: Tokenizer,
  teacher: Tokenizer,
  names: { student: string; teacher: string },
): void {
  const refuse = (where: string): never => {
    throw new AppError(
      'invalid_input',
      `the teacher ${names.teacher} cannot score tokens of ${names.student}: ${where}`,
    );
  };
  if (student.vocabularySize !== teacher.vocabularySize)
    refuse(`its vocabulary has ${teacher.vocabularySize} ids, the student’s ${student.vocabularySize}`);
  for (let id = 0; id < student.vocabularySize; id++) {
    const [ours, theirs] = [student.decode([id]), teacher.decode([id])];
    if (ours !== theirs)
      refuse(`id ${id} is ${JSON.stringify(theirs)} to it, ${JSON.stringify(ours)} to the student`);
  }
  const [ours, theirs] = [student.encode(SAMPLE), teacher.encode(SAMPLE)];
  const parted = ours.findIndex((id, i) => theirs[i] !== id);
  if (parted >= 0 || ours.length !== theirs.length)
    refuse(`they cut a text differently from its token ${parted < 0 ? ours.length : parted} on`);
}
