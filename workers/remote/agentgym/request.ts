import { AppError, codeOfStatus } from '@/contract/errors';
import { failureText, quote as quoteText, readBounded } from '../../http-answer';

/** Longest answer that is read; AgentGym's are a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** As much of an unexpected answer as its error quotes. */
const QUOTED_CHARACTERS = 300;

/** One request to an environment server. */
export interface ServerRequest {
  /** Without a slash at its end. */
  address: string;
  method: 'GET' | 'POST';
  /** `/step`, with its query where it has one. */
  route: string;
  body?: Readonly<Record<string, number | string>>;
  timeoutMs: number;
}

/** No whole answer came: nobody knows whether the request was carried out, nor whether the server is there. */
export class NoAnswer extends AppError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, [], { cause });
  }
}

/**
 * Sends a request and gives the JSON value of its answer. Throws AppError, naming address and route: NoAnswer
 * where there is no answer in time or none that is whole; `unavailable` where it is no JSON; `too_large` past 1 MiB; the
 * code of the status where that is not 2xx (`not_found` for 404, `invalid_input` for 422).
 */
export async function sendRequest(request: ServerRequest): Promise<unknown> {
  const { response, text } = await receive(request);
  if (!response.ok) {
    const code = codeOfStatus(response.status) ?? 'unavailable';
    throw new AppError(code, `${place(request)} answered HTTP ${response.status}: ${quote(text)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('unavailable', `${place(request)} answered no JSON: ${quote(text)}`, [], {
      cause: error,
    });
  }
}

/** Address and route, as errors name them. */
export function place({
  address,
  method,
  route,
}: Pick<ServerRequest, 'address' | 'method' | 'route'>): string {
  return `${method} ${address}${route}`;
}

/** The beginning of a text, in quotation marks. */
export function quote(text: string): string {
  return quoteText(text, QUOTED_CHARACTERS);
}

async function receive(request: ServerRequest): Promise<{ response: Response; text: string }> {
  const { address, method, route, body, timeoutMs } = request;
  let response: Response | undefined;
  try {
    response = await fetch(`${address}${route}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const bytes = await readBounded(response, MAX_ANSWER_BYTES, place(request));
    return { response, text: bytes.toString('utf8') };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = failureText(error, { timeoutMs, hadBegun: response !== undefined });
    throw new NoAnswer(`${place(request)} ${failure}`, error);
  }
}
