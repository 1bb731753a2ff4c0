import { z } from 'zod';
import { AppError, type FieldIssue } from './errors';
import { issueWords } from './issue-words';

z.config({ customError: issueWords });

/** Issues named in a message; the error itself has all. */
const NAMED_ISSUES = 5;

/** Zod's issues with dotted paths, `config.update.learningRate` for instance. */
export function toFieldIssues(error: z.ZodError, prefix = ''): FieldIssue[] {
  return error.issues.map((issue) => ({
    path: [prefix, ...issue.path.map(String)].filter(Boolean).join('.'),
    message: issue.message,
  }));
}

/** An `invalid_input` whose message names the first wrong fields and whose issues name each. */
export function invalidInput(error: z.ZodError, what: string, prefix = ''): AppError {
  const issues = toFieldIssues(error, prefix);
  const named = issues.slice(0, NAMED_ISSUES).map((issue) => `${issue.path || '(whole)'}: ${issue.message}`);
  return new AppError('invalid_input', `${what} is not valid: ${named.join('; ')}`, issues, { cause: error });
}

/** Parses or throws `invalidInput`. */
export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown, what: string, prefix = ''): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error, what, prefix);
}
