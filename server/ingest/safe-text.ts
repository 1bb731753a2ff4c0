import { AppError } from '@/contract/errors';
import { UNSTORABLE } from '@/contract/storable-text';

/** Deepest nesting of a stored value; more is no event of any version. */
const MAX_DEPTH = 100;

/** The text with NUL shown as U+2400 and lone surrogates as U+FFFD: marked, not dropped. */
export function safeText(text: string): string {
  return text.replace(UNSTORABLE, (match) => (match === '\0' ? '\u2400' : '\ufffd'));
}

/** A JSON value with every text in it, keys too, made storable. Throws `invalid_input` beyond 100 levels. */
export function safeJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return safeText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH)
    throw new AppError('invalid_input', `value is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => safeJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [safeText(key), safeJson(item, depth + 1)]),
  );
}
