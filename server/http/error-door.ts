import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { toFieldIssues } from '@/contract/recipes/registry';

/**
 * The one place where a thrown value becomes an answer. What was meant to be shown is shown; anything else is
 * logged in full under an id, and only the id goes out.
 */
export function toAppError(thrown: unknown, where: string): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof z.ZodError) {
    const issues = toFieldIssues(thrown);
    const named = issues.map((issue) => `${issue.path || '(whole)'}: ${issue.message}`).slice(0, 5);
    return new AppError('invalid_input', `${where} is not valid: ${named.join('; ')}`, issues);
  }
  const id = randomUUID().slice(0, 8);
  console.error(`error ${id} in ${where}:`, thrown);
  return new AppError('internal', `something went wrong in the server; its log has the details under ${id}`);
}
