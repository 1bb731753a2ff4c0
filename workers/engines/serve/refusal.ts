import { type AppError, ERROR_STATUS } from '@/contract/errors';
import type { z } from 'zod';

/** One wrong field, as FastAPI tells it and clients of the protocol read it. */
export interface ValidationIssue {
  type: string;
  loc: (string | number)[];
  msg: string;
}

type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 422 | 429 | 500 | 503;

/** A request that is answered with a status and `{detail}`, the protocol's shape of an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: RefusalStatus,
    readonly detail: string | ValidationIssue[],
    options?: ErrorOptions,
  ) {
    super(typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; '), options);
  }
}

/** The refusal of a body that does not parse. */
export function invalidBody(error: z.ZodError): Refusal {
  return new Refusal(
    422,
    error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: ['body', ...path.map((key) => (typeof key === 'number' ? key : String(key)))],
      msg: message,
    })),
  );
}

/** The refusal of what the product's own code threw; bad input is 400 here, for 422 is kept for a body's form. */
export function refusalOf(error: AppError): Refusal {
  return new Refusal(error.code === 'invalid_input' ? 400 : ERROR_STATUS[error.code], error.message, {
    cause: error,
  });
}
