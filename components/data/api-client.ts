import { AppError, codeOfStatus, type ErrorBody } from '@/contract/errors';

type QueryValue = string | number | undefined | readonly (string | number)[];

/** Path and query of a REST route; an array becomes one parameter for each value, `undefined` none. */
export function apiUrl(path: string, query: Record<string, QueryValue> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

/** Fetches a route's answer. Throws AppError with the server's own words, or `unavailable` where none came. */
export async function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  return request<T>(url, { signal: signal ?? null });
}

/** Sends a body as JSON. Throws as `getJson` does; field issues come with the error. */
export async function postJson<T>(url: string, body: unknown): Promise<T> {
  return sendJson<T>('POST', url, body);
}

/** What all requests that outlive their page may hold together: a browser refuses more. */
const MAX_OUTLIVING_BYTES = 64 * 1024;

/** As `postJson`, to change what is there. With `outlivesPage` up to 64 KB arrive even where the page is left meanwhile. */
export async function sendJson<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  { outlivesPage = false }: { outlivesPage?: boolean } = {},
): Promise<T> {
  const text = JSON.stringify(body);
  const keepalive = outlivesPage && new TextEncoder().encode(text).byteLength <= MAX_OUTLIVING_BYTES;
  return request<T>(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: text,
    ...(keepalive && { keepalive }),
  });
}

/** Sends a file as it is. Throws as `getJson` does. */
export async function postFile<T>(url: string, file: Blob): Promise<T> {
  return request<T>(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
}

/** Whether the same request may succeed later: a refusal stays a refusal, a server that is away may come back. */
export function mayPass(error: Error): boolean {
  return !(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal';
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new AppError('unavailable', 'The server does not answer.', [], { cause });
  }
  const text = await response.text();
  const body = parseBody(text);
  if (!response.ok) throw toAppError(response.status, body);
  if (body === undefined)
    throw new AppError('internal', `${url} answered ${response.status} with text that is not JSON`);
  // The server and this page are one build and share the contract's types: its answers are not parsed twice.
  return body as T;
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toAppError(status: number, body: unknown): AppError {
  if (isErrorBody(body)) return new AppError(body.error.code, body.error.message, body.error.issues);
  const code = codeOfStatus(status) ?? (status >= 502 ? 'unavailable' : 'internal');
  return new AppError(code, `The server answered ${status}.`);
}

function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    typeof value.error === 'object' &&
    value.error !== null &&
    'code' in value.error &&
    'message' in value.error
  );
}
