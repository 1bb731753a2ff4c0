import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';

/** One game as `alfworld-generate` writes it: `game.tw-pddl`. */
export const GameFile = z.object({
  pddl_domain: z.string(),
  grammar: z.string(),
  pddl_problem: z.string(),
  /** Whether upstream's handcoded expert won it; absent in games that were never tried. */
  solvable: z.boolean().nullish(),
});
export type GameFile = z.infer<typeof GameFile>;

/** The largest official game file has 133 kB. */
const MOST_CHARACTERS = 4_000_000;

/** Reads a game file's text. Throws `invalid_input` or `too_large`, naming the file and what is wrong with it. */
export function readGameFile(text: string, file: string): GameFile {
  if (text.length > MOST_CHARACTERS) {
    throw new AppError(
      'too_large',
      `${file} has ${text.length} characters, a game at most ${MOST_CHARACTERS}`,
    );
  }
  return parseOrThrow(GameFile, parseJson(text, file), file);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${file} is not JSON: ${said}`, [], { cause });
  }
}
