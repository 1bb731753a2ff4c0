/** How answers that are no results are told: who said what, and what to do about it. */
import { z } from 'zod';
import { AppError, codeOfStatus, type ErrorCode } from '@/contract/errors';
import { quote as quoteText } from '../../http-answer';

/** As much of an unexpected answer as its error quotes. */
const QUOTED_CHARACTERS = 600;

const ValidationIssue = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });
const Refusal = z.union([
  z.object({ detail: z.union([z.string(), z.array(ValidationIssue)]) }),
  z.object({ error: z.string() }),
]);

/** What an error body says, in one line; null where it says nothing that can be read. */
export function refusalText(body: string): string | null {
  const parsed = Refusal.safeParse(parseJson(body));
  if (!parsed.success) return null;
  if ('error' in parsed.data) return parsed.data.error;
  const { detail } = parsed.data;
  if (typeof detail === 'string') return detail;
  return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}

/** The error of an answer with a status that is no success. `place` names address and route. */
export function refusalError(place: string, status: number, body: string): AppError {
  const said = refusalText(body) ?? body;
  return new AppError(codeOf(status), `${place} answered HTTP ${status}: ${quote(said)}${hint(status)}`);
}

/** The beginning of a text, in quotation marks. */
export function quote(text: string): string {
  return quoteText(text, QUOTED_CHARACTERS);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(status: number): ErrorCode {
  const exact = codeOfStatus(status);
  if (exact) return exact;
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'invalid_input' : 'unavailable';
}

function hint(status: number): string {
  if (status === 401 || status === 403)
    return '; the key is read from STEPSCOPE_TINKER_API_KEY in the worker’s environment';
  if (status === 402) return '; the account behind the key has to be paid for';
  return '';
}
