import { z } from 'zod';
import type { EndpointSettings, OutageNotice } from '@/contract/endpoint';
import { AppError, type ErrorCode } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { withDeadline } from '../deadline';
import { Gate } from '../engines/tinker/gate';
import type { Secret } from '../engines/tinker/secret';
import { failureText, quote, readBounded } from '../http-answer';
import { Backoff, pause } from '../retry';
import { retryAfterMs } from './retry-after';
import { Troubles, triedWords } from './troubles';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** As much of an unexpected answer as its error quotes. */
const QUOTED_CHARACTERS = 300;
/** A wait that an endpoint asks for and that is as long as this is told at once. */
const LONG_WAIT_MS = 10_000;
/** Client errors that pass: too slow, too early, too many, not paid for. */
const PASSING_STATUSES: readonly number[] = [402, 408, 409, 425, 429];

/** How APIs say that a prompt is longer than the model's context: OpenAI's code, and words of vLLM and others. */
const TOO_LONG = /context_length_exceeded|context[ _](length|window)/i;

/** Why a request has no answer yet. */
interface Failure {
  reason: string;
  /** What the endpoint asked for, in ms. */
  waitMs: number;
}

/** What is asked of a route, and what comes back. */
export interface Exchange<Answer> {
  /** Below the base address, `chat/completions` for instance. */
  route: string;
  /** JSON. */
  body: string;
  /** As errors name the answer: `chat completion`. */
  what: string;
  /** Reads an answer's JSON; what it throws says that it was none, and it is asked for again. */
  read(value: unknown): Answer;
}

/**
 * Requests to one model of an OpenAI-compatible API, each asked until it is answered. Errors name address and status; the
 * key is in none.
 */
export class EndpointClient implements OutageNotice {
  private readonly address: string;
  private readonly gate: Gate;
  private readonly troubles = new Troubles();
  /** No request is sent before this time, in ms since 1970: the endpoint asked for it. */
  private sparedUntil = 0;

  /** `signal` ends every wait; its reason is what `ask` throws then. */
  constructor(
    readonly settings: EndpointSettings,
    private readonly apiKey: Secret | null,
    private readonly signal: AbortSignal,
  ) {
    this.address = settings.address.replace(/\/+$/, '');
    this.gate = new Gate(() => settings.concurrency);
  }

  get trouble(): string | null {
    return this.troubles.trouble;
  }

  troubleChanged(): Promise<void> {
    return this.troubles.troubleChanged();
  }

  urlOf(route: string): string {
    return `${this.address}/${route}`;
  }

  /** Throws what cannot pass: a refusal by its status, `too_large` for a prompt beyond the model's context. */
  async ask<Answer>(exchange: Exchange<Answer>): Promise<Answer> {
    return this.gate.pass(1, async () => {
      this.signal.throwIfAborted();
      return this.untilAnswered(exchange);
    });
  }

  private async untilAnswered<Answer>(exchange: Exchange<Answer>): Promise<Answer> {
    const { signal, troubles } = this;
    const request = {};
    const backoff = new Backoff();
    try {
      for (let tries = 1; ; tries++) {
        await pause(Math.max(0, this.sparedUntil - Date.now()), signal);
        signal.throwIfAborted();
        const outcome = await this.send(exchange);
        if ('answer' in outcome) return outcome.answer;
        this.sparedUntil = Math.max(this.sparedUntil, Date.now() + outcome.waitMs);
        if (tries >= this.settings.triesBeforePause || outcome.waitMs >= LONG_WAIT_MS)
          troubles.tell(request, triedWords(outcome.reason, tries));
        await backoff.wait(signal);
      }
    } finally {
      troubles.tell(request, null);
    }
  }

  /** One request. Throws what cannot pass, and the signal's reason once aborted. */
  private async send<Answer>(exchange: Exchange<Answer>): Promise<{ answer: Answer } | Failure> {
    const { apiKey, signal } = this;
    const url = this.urlOf(exchange.route);
    const timeoutMs = this.settings.timeoutS * 1000;
    let response: Response | undefined;
    let text: string;
    try {
      text = await withDeadline(timeoutMs, signal, async (deadline) => {
        response = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'Content-Type': 'application/json',
            ...(apiKey && { Authorization: `Bearer ${apiKey.reveal()}` }),
          },
          body: exchange.body,
          signal: deadline,
        });
        return String(await readBounded(response, MAX_ANSWER_BYTES, url));
      });
    } catch (error) {
      signal.throwIfAborted();
      const said =
        error instanceof AppError
          ? error.message
          : `${url} ${failureText(error, { timeoutMs, hadBegun: response !== undefined })}`;
      return { reason: this.hide(said), waitMs: 0 };
    }
    // What came without an error came from a response.
    return response ? this.read(exchange, response, text) : { reason: `${url} gave no answer`, waitMs: 0 };
  }

  private read<Answer>(
    { route, what, read }: Exchange<Answer>,
    { status, headers }: Response,
    text: string,
  ): { answer: Answer } | Failure {
    const url = this.urlOf(route);
    if (status !== 200) {
      const reason = this.hide(`${url} answered HTTP ${status}: ${quote(text, QUOTED_CHARACTERS)}`);
      if (status >= 500 || PASSING_STATUSES.includes(status))
        return { reason, waitMs: retryAfterMs(headers, Date.now()) };
      throw new AppError(codeOfRefusal(status, text), `${reason}${this.hint(status)}`);
    }
    try {
      return { answer: read(JSON.parse(text)) };
    } catch (error) {
      const shown = quote(text, QUOTED_CHARACTERS);
      return { reason: this.hide(`${url} answered no ${what}, but ${shown}${whyNone(error)}`), waitMs: 0 };
    }
  }

  private hint(status: number): string {
    const { keyVariable } = this.settings;
    if (status >= 300 && status < 400) return '; a redirect is not followed: give the address that it names';
    if (status !== 401 && status !== 403) return '';
    return keyVariable === null
      ? '; no key was sent: endpoint.keyVariable names none'
      : `; the key is read from ${keyVariable} in the worker’s environment`;
  }

  private hide(text: string): string {
    return this.apiKey?.hideIn(text) ?? text;
  }
}

/** What of an answer was not as expected, to follow its text. */
function whyNone(error: unknown): string {
  if (error instanceof AppError) return `: ${error.message}`;
  const [issue] = error instanceof z.ZodError ? toFieldIssues(error) : [];
  return issue ? `: ${issue.path}: ${issue.message}` : '';
}

function codeOfRefusal(status: number, text: string): ErrorCode {
  if (status === 401) return 'unauthorized';
  return status === 400 && TOO_LONG.test(text) ? 'too_large' : 'invalid_input';
}
