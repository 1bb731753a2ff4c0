import { z } from 'zod';
import type { ChatEndpoint, ChatReply, ChatRequest, EndpointSettings } from '@/contract/endpoint';
import type { TokenCounts } from '@/contract/engine';
import { AppError, type ErrorCode } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { withDeadline } from '../deadline';
import { Gate } from '../engines/tinker/gate';
import type { Secret } from '../engines/tinker/secret';
import { failureText, quote, readBounded } from '../http-answer';
import { Backoff, pause } from '../retry';
import type { AnswerStore } from './answer-store';
import { chatBody, readChatAnswer } from './chat-wire';
import { retryAfterMs } from './retry-after';

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
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

interface ChatClientParts {
  apiKey: Secret | null;
  answers: AnswerStore;
  /** Ends every wait; its reason is what `chat` throws then. */
  signal: AbortSignal;
}

/** Requests to one model of an OpenAI-compatible API. Errors name address and status; the key is in none. */
export class ChatClient implements ChatEndpoint {
  private readonly url: string;
  private readonly gate: Gate;
  /** Reason of each request that was tried in vain often enough to be told. */
  private readonly troubles = new Map<object, string>();
  private told: string | null = null;
  private listeners: (() => void)[] = [];
  private readonly used: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };
  /** No request is sent before this time, in ms since 1970: the endpoint asked for it. */
  private sparedUntil = 0;

  constructor(
    readonly settings: EndpointSettings,
    private readonly parts: ChatClientParts,
  ) {
    this.url = `${settings.address.replace(/\/+$/, '')}/chat/completions`;
    this.gate = new Gate(() => settings.concurrency);
  }

  get trouble(): string | null {
    return this.told;
  }

  troubleChanged(): Promise<void> {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  counts(): TokenCounts {
    return { ...this.used };
  }

  async chat(request: ChatRequest): Promise<ChatReply> {
    const { answers, signal } = this.parts;
    const body = chatBody(this.settings.model, request);
    const known = await answers.find(this.url, body);
    if (known) return known;
    return this.gate.pass(1, async () => {
      signal.throwIfAborted();
      const reply = await this.untilAnswered(body);
      this.count(reply);
      await answers.keep(this.url, body, reply);
      return reply;
    });
  }

  private async untilAnswered(body: string): Promise<ChatReply> {
    const { signal } = this.parts;
    const request = {};
    const backoff = new Backoff();
    try {
      for (let tries = 1; ; tries++) {
        await pause(Math.max(0, this.sparedUntil - Date.now()), signal);
        signal.throwIfAborted();
        const answer = await this.send(body);
        if (!('reason' in answer)) return answer;
        this.sparedUntil = Math.max(this.sparedUntil, Date.now() + answer.waitMs);
        if (tries >= this.settings.triesBeforePause || answer.waitMs >= LONG_WAIT_MS)
          this.tell(request, `${answer.reason}; tried ${tries === 1 ? 'once' : `${tries} times`}`);
        await backoff.wait(signal);
      }
    } finally {
      this.tell(request, null);
    }
  }

  /** One request. Throws what cannot pass, and the signal's reason once aborted. */
  private async send(body: string): Promise<ChatReply | Failure> {
    const { apiKey, signal } = this.parts;
    const timeoutMs = this.settings.timeoutS * 1000;
    let response: Response | undefined;
    let text: string;
    try {
      text = await withDeadline(timeoutMs, signal, async (deadline) => {
        response = await fetch(this.url, {
          method: 'POST',
          redirect: 'manual',
          headers: {
            'Content-Type': 'application/json',
            ...(apiKey && { Authorization: `Bearer ${apiKey.reveal()}` }),
          },
          body,
          signal: deadline,
        });
        return String(await readBounded(response, MAX_ANSWER_BYTES, this.url));
      });
    } catch (error) {
      signal.throwIfAborted();
      const said =
        error instanceof AppError
          ? error.message
          : `${this.url} ${failureText(error, { timeoutMs, hadBegun: response !== undefined })}`;
      return { reason: this.hide(said), waitMs: 0 };
    }
    // What came without an error came from a response.
    return response ? this.read(response, text) : { reason: `${this.url} gave no answer`, waitMs: 0 };
  }

  private read({ status, headers }: Response, text: string): ChatReply | Failure {
    if (status !== 200) {
      const reason = this.hide(`${this.url} answered HTTP ${status}: ${quote(text, QUOTED_CHARACTERS)}`);
      if (status >= 500 || PASSING_STATUSES.includes(status))
        return { reason, waitMs: retryAfterMs(headers, Date.now()) };
      throw new AppError(codeOfRefusal(status, text), `${reason}${this.hint(status)}`);
    }
    try {
      return readChatAnswer(JSON.parse(text));
    } catch (error) {
      const [issue] = error instanceof z.ZodError ? toFieldIssues(error) : [];
      const why = issue ? `: ${issue.path}: ${issue.message}` : '';
      const shown = quote(text, QUOTED_CHARACTERS);
      return { reason: this.hide(`${this.url} answered no chat completion, but ${shown}${why}`), waitMs: 0 };
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
    return this.parts.apiKey?.hideIn(text) ?? text;
  }

  private tell(request: object, reason: string | null): void {
    if (reason === null) this.troubles.delete(request);
    else this.troubles.set(request, reason);
    const [first = null] = this.troubles.values();
    // Another wording of the same trouble is no change.
    if ((first === null) === (this.told === null)) return;
    this.told = first;
    for (const listener of this.listeners.splice(0)) listener();
  }

  private count({ usage }: ChatReply): void {
    const { promptTokens, cachedPromptTokens, replyTokens } = usage ?? {
      promptTokens: NaN,
      cachedPromptTokens: NaN,
      replyTokens: NaN,
    };
    this.used.prompt += promptTokens;
    this.used.prefilled += promptTokens - (cachedPromptTokens ?? 0);
    this.used.reused += cachedPromptTokens ?? NaN;
    this.used.sampled += replyTokens;
  }
}

function codeOfRefusal(status: number, text: string): ErrorCode {
  if (status === 401) return 'unauthorized';
  return status === 400 && TOO_LONG.test(text) ? 'too_large' : 'invalid_input';
}
