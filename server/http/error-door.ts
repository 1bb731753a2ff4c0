import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { invalidInput } from '@/contract/parse';

/**
 * The one place where a thrown value becomes an answer. What was meant to be shown is shown; anything else is
 * logged in full under an id, and only the id goes out.
 */
export function toAppError(thrown: unknown, where: string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof z.ZodError) return invalidInput(thrown, where);
  if (isDiskFull(thrown))
    return new AppError('unavailable', 'the disk of the database is full; nothing was stored', [], {
      cause: thrown,
    });
  const id = randomUUID().slice(0, 8);
  console.error(`error ${id} in ${where}:`, thrown);
  return new AppError('internal', `something went wrong in the server; its log has the details under ${id}`);
}

/** Postgres answers 53100 where a file cannot grow. */
function isDiskFull(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === '53100';
}
