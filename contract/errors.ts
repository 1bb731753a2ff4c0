/** Error codes and the HTTP status each answers with. */
export const ERROR_STATUS = {
  invalid_input: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The code that answers with an HTTP status; null where none does. */
export function codeOfStatus(status: number): ErrorCode | null {
  const known = Object.entries(ERROR_STATUS).find(([, answered]) => answered === status);
  // The keys of a constant object are its type's keys.
  return known ? (known[0] as ErrorCode) : null;
}

/** One wrong field of a form, body, message or file. `path` is dotted, empty for the whole. */
export interface FieldIssue {
  path: string;
  message: string;
}

/** An error whose message may be shown to whoever caused it. */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly issues: FieldIssue[] = [],
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The one JSON shape of an error on the wire. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; issues: FieldIssue[] };
}

export function toErrorBody(error: AppError): ErrorBody {
  return { error: { code: error.code, message: error.message, issues: error.issues } };
}
