import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { withDeadline } from '../../deadline';
import { failureText, readBounded } from '../../http-answer';
import { LONGEST_WAIT_MS, Patience } from './patience';
import { parseJson, quote, refusalError } from './refusal';
import type { Secret } from './secret';

/** A submission is answered at once; results are waited for by polling. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Longest answer that is read: some 10 million log-probabilities. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Other work shares a server's limits, so one that was overrun is spared for a while. */
const SPARED_AFTER_REFUSAL_MS = 10_000;

/** A clock that tests can replace. */
export interface Timing {
  /** ms */
  now(): number;
  /** Resolves early, without an error, when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const REAL_TIMING: Timing = {
  now: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

export interface TinkerConnectionOptions {
  /** `http://host:port` or `https://host/path`; `/api/v1` is added. */
  address: string;
  apiKey: Secret | null;
  /** How long a server that is away or overrun is waited for, in ms. */
  patienceMs: number;
  fetch?: typeof fetch;
  timing?: Timing;
}

export interface TinkerRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`, `create_session` for instance. */
  route: string;
  /** JSON, or bytes of a protobuf message. */
  body?: object | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

export interface Reply {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/**
 * Requests to one server of the Tinker protocol. Errors name address, route and what was said; the key is in none. All
 * requests end when the connection is closed.
 */
export class TinkerConnection {
  readonly address: string;
  readonly patienceMs: number;
  readonly timing: Timing;
  private readonly closed = new AbortController();
  private readonly fetch: typeof fetch;
  private apiKey: Secret | null;
  private readonly secrets: Secret[] = [];
  private refusedAt = -Infinity;

  constructor({ address, apiKey, patienceMs, fetch: send, timing }: TinkerConnectionOptions) {
    this.address = address.replace(/\/+$/, '');
    this.patienceMs = patienceMs;
    this.timing = timing ?? REAL_TIMING;
    this.fetch = send ?? fetch;
    this.apiKey = null;
    if (apiKey) this.authorize(apiKey);
  }

  /** Aborted once the connection is closed; its reason is the error that later calls throw. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  /** Whether the server has lately said that it has too much to do. */
  get isOverrun(): boolean {
    return this.timing.now() - this.refusedAt < SPARED_AFTER_REFUSAL_MS;
  }

  noteOverrun(): void {
    this.refusedAt = this.timing.now();
  }

  /** Sends this key from now on. */
  authorize(apiKey: Secret): void {
    this.apiKey = apiKey;
    this.secrets.push(apiKey);
  }

  /** Ends what is going on; every later call throws `error`. */
  close(error = new AppError('unavailable', 'the engine is closed')): void {
    this.closed.abort(error);
  }

  /**
   * Submits until it is answered: again while the server is away, overrun or stumbles, with growing waits, until patience
   * runs out. Only for what may arrive twice. Throws what `send` throws and the error of any other status.
   */
  async request<Answer>(schema: z.ZodType<Answer>, request: TinkerRequest): Promise<Answer> {
    const tries = new Patience(this);
    for (;;) {
      const reply = await this.sendOr(request, tries);
      if (reply === null) continue;
      if (isSuccess(reply)) return this.parse(schema, request, reply);
      const error = this.refusal(request, reply);
      if (!isPassing(reply.status)) throw error;
      if (reply.status === 429) this.noteOverrun();
      await tries.waitAfter(error, retryAfterMs(reply.headers));
    }
  }

  /** One request, whatever the status of its answer. Throws `unavailable` where there is no whole answer in time. */
  async send(request: TinkerRequest): Promise<Reply> {
    this.signal.throwIfAborted();
    const { method = 'POST', route, body, headers = {}, timeoutMs = ANSWER_TIMEOUT_MS } = request;
    const isBinary = body instanceof Uint8Array;
    const type = isBinary ? 'application/x-protobuf' : 'application/json';
    let response: Response | undefined;
    try {
      return await withDeadline(timeoutMs, this.signal, async (signal) => {
        response = await this.fetch(this.urlOf(route), {
          method,
          redirect: 'manual',
          headers: {
            ...(body && { 'Content-Type': type }),
            ...(this.apiKey && { 'X-API-Key': this.apiKey.reveal() }),
            ...headers,
          },
          signal,
          ...(body && { body: isBinary ? body : JSON.stringify(body) }),
        });
        const bytes = await readBounded(response, MAX_ANSWER_BYTES, this.placeOf(request));
        return { status: response.status, headers: response.headers, bytes };
      });
    } catch (error) {
      this.signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      throw new AppError(
        'unavailable',
        this.hide(
          `${this.placeOf(request)} ${failureText(error, { timeoutMs, hadBegun: response !== undefined })}`,
        ),
      );
    }
  }

  /** Parses an answer's JSON. Throws `unavailable` where it is none and `invalid_input` where its fields are wrong. */
  parse<Answer>(schema: z.ZodType<Answer>, request: TinkerRequest, reply: Reply): Answer {
    const text = textOf(reply);
    const value = parseJson(text);
    if (value === undefined)
      throw new AppError(
        'unavailable',
        this.hide(`${this.placeOf(request)} answered no JSON: ${quote(text)}`),
      );
    return parseOrThrow(schema, value, `the answer of ${this.placeOf(request)}`);
  }

  refusal(request: TinkerRequest, reply: Reply): AppError {
    return refusalError(this.placeOf(request), reply.status, this.hide(textOf(reply)));
  }

  /** Method and address, as errors name them. */
  placeOf({ method = 'POST', route }: Pick<TinkerRequest, 'method' | 'route'>): string {
    return `${method} ${this.urlOf(route)}`;
  }

  hide(text: string): string {
    return this.secrets.reduce((shown, secret) => secret.hideIn(shown), text);
  }

  private urlOf(route: string): string {
    return `${this.address}/api/v1/${route}`;
  }

  private async sendOr(request: TinkerRequest, tries: Patience): Promise<Reply | null> {
    try {
      return await this.send(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable' || this.signal.aborted) throw error;
      await tries.waitAfter(error);
      return null;
    }
  }
}

export function textOf({ bytes }: Reply): string {
  return new TextDecoder().decode(bytes);
}

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

/** Whether the same request may be answered later. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function retryAfterMs(headers: Headers): number {
  const ms = Number(headers.get('retry-after-ms') ?? NaN);
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const asked = Number.isFinite(ms) ? ms : seconds * 1000;
  return Number.isFinite(asked) ? Math.min(Math.max(asked, 0), LONGEST_WAIT_MS) : 0;
}
