import { AppError, codeOfStatus } from '@/contract/errors';

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

/**
 * Sends a request and gives the JSON value of its answer. Throws AppError, naming address and route: `unavailable`
 * where there is no answer in time, none that is whole or none that is JSON; `too_large` past 1 MiB; the code of the
 * status where that is not 2xx (`not_found` for 404, `invalid_input` for 422).
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
  const shown = text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
  return text === '' ? 'nothing' : `“${shown}”`;
}

/** Whether nothing listened at the address, so that the request was certainly not carried out. */
export function isConnectionRefused(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && cause.code === 'ECONNREFUSED');
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
    return { response, text: await readBounded(response, request) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'unavailable',
      `${place(request)} ${failure(error, request, response !== undefined)}`,
      [],
      {
        cause: error,
      },
    );
  }
}

async function readBounded(response: Response, request: ServerRequest): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.length;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new AppError('too_large', `${place(request)} answered more than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(value);
  }
}

function failure(error: unknown, { timeoutMs }: ServerRequest, hadBegun: boolean): string {
  const chain = causes(error);
  if (chain.some(({ name }) => name === 'TimeoutError'))
    return `gave no whole answer within ${timeoutMs / 1000} s`;
  if (isConnectionRefused(error)) return 'refused the connection';
  const reason = chain.findLast(({ message }) => message !== '')?.message ?? String(error);
  return hadBegun ? `broke off its answer: ${reason}` : `gave no answer: ${reason}`;
}

/** An error and what caused it, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) chain.push(cause);
  return chain;
}
