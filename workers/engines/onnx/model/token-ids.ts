import { AppError } from '@/contract/errors';

/** Throws `invalid_input`, naming `path`, for the first id that a vocabulary of this size does not have. */
export function checkTokenIds(ids: readonly number[], path: string, vocabularySize: number): void {
  const index = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  if (index >= 0)
    throw new AppError(
      'invalid_input',
      `${path}[${index}] is ${ids[index]}, expected a token id of 0 to ${vocabularySize - 1}`,
    );
}
