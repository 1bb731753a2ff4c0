import { AppError } from '@/contract/errors';

/** Tokens of a play that a recipe learns from. Only what was played elsewhere may leave them open; that is an error here. */
export function countedHere(tokens: number | null): number {
  if (tokens === null)
    throw new AppError('invalid_input', 'a trajectory to learn from does not state its tokens');
  return tokens;
}
