import type { Timing } from '../connection';

/** One answer of a script: a status with its body, or a failure of the network. */
export type Scripted =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { fails: Error }
  /** No answer until the request is given up. */
  | { hangs: true };

export interface SentRequest {
  method: string;
  route: string;
  headers: Headers;
  body: unknown;
}

/** A `fetch` that answers by a script, one entry a request, and keeps what was sent. Throws when the script is over. */
export function scriptedFetch(script: readonly Scripted[]): { fetch: typeof fetch; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const answer = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const next = script[sent.length];
    const text = typeof init.body === 'string' ? init.body : null;
    sent.push({
      method: init.method ?? 'GET',
      route: new URL(String(input)).pathname,
      headers: new Headers(init.headers),
      body: text === null ? init.body : JSON.parse(text),
    });
    if (!next) throw new Error(`the script has ${script.length} answers, this is request ${sent.length}`);
    if ('fails' in next) throw next.fails;
    if ('hangs' in next) return untilAborted(init.signal ?? undefined);
    const { status, body, headers } = next;
    const content = body === undefined ? null : body instanceof Uint8Array ? body : JSON.stringify(body);
    return new Response(content as BodyInit | null, {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  };
  return { fetch: answer, sent };
}

/** A clock that only waiting moves; `waits` has each wait in ms. */
export function scriptedTiming(): Timing & { waits: number[] } {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    wait: (ms) => {
      waits.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
