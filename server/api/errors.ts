import type { Context } from 'hono';
import { ERROR_STATUS, toErrorBody } from '@/contract/errors';
import { toAppError } from '../http/error-door';

/** Every error of the API leaves here, in the contract's one shape. */
export function answerError(thrown: Error, context: Context): Response {
  const error = toAppError(thrown, `${context.req.method} ${context.req.path}`);
  return context.json(toErrorBody(error), ERROR_STATUS[error.code]);
}
