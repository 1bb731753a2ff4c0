import type { EndpointPrices, EndpointSettings } from '@/contract/endpoint';
import type { Engine, TokenCounts } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ContinuationRequest, Teacher } from '@/contract/teacher';
import { BilledTokens } from '../endpoints/billed-tokens';
import {
  continuationBody,
  echoed,
  readCompletion,
  scoredTokens,
  scoringBody,
  type Completion,
  type ScoredToken,
  type Scoring,
} from '../endpoints/completions-wire';
import { EndpointClient } from '../endpoints/endpoint-client';
import type { Secret } from '../engines/tinker/secret';
import { CUT_SAMPLE, probeIds, requireSameCut, requireSameTexts } from './same-vocabulary';

const ROUTE = 'completions';
/** Ids of a request of the probe: within any model's context. */
const PROBE_BATCH = 256;
/** Texts that OpenAI's API takes as ends. */
const MOST_STOPS = 4;

interface EndpointTeacherParts {
  settings: EndpointSettings;
  scoring: Scoring;
  apiKey: Secret | null;
  student: Pick<Engine, 'tokenizer' | 'stopTokens'>;
  /** Ends every wait. */
  signal: AbortSignal;
}

/** A teacher behind an OpenAI-compatible API whose completions route takes token ids and scores prompts. */
export class EndpointTeacher implements Teacher {
  readonly name: string;
  readonly prices: EndpointPrices | null;
  private readonly client: EndpointClient;
  private readonly billed = new BilledTokens();

  constructor(private readonly parts: EndpointTeacherParts) {
    const { settings, apiKey, signal } = parts;
    this.name = settings.model;
    this.prices = settings.prices;
    this.client = new EndpointClient(settings, apiKey, signal);
  }

  get trouble(): string | null {
    return this.client.trouble;
  }

  troubleChanged(): Promise<void> {
    return this.client.troubleChanged();
  }

  /**
   * Has it score ids from all over the student's vocabulary and echo a text: every id has to be the same text to both, and
   * the text cut alike. Throws `invalid_input` where that is not so, or where it does not score what it is given.
   */
  async prepare(): Promise<void> {
    const { scoring, student } = this.parts;
    const ids = probeIds(student.tokenizer);
    for (let from = 0; from < ids.length; from += PROBE_BATCH) {
      const some = ids.slice(from, from + PROBE_BATCH);
      const answer = await this.complete(scoringBody(this.name, some, scoring), (completion) => completion);
      const texts = this.orRefused(() => scoredTokens(answer, some, scoring)).map(({ text }) => text);
      requireSameTexts(student.tokenizer, some, texts, this.names());
      const read = answer.usage?.promptTokens ?? some.length;
      if (read !== some.length)
        throw this.refusal(`it read ${read} tokens where it was given ${some.length} ids`);
    }
    const answer = await this.complete(
      scoringBody(this.name, CUT_SAMPLE, 'echo'),
      (completion) => completion,
    );
    const cut = this.orRefused(() => echoed(answer.choice)).map(({ text }) => text ?? '');
    const replyTokens = answer.usage?.replyTokens ?? 0;
    requireSameCut(student.tokenizer, cut.slice(0, cut.length - replyTokens), this.names());
  }

  async computeLogprobs(tokens: number[]): Promise<number[]> {
    const { scoring } = this.parts;
    if (tokens.length < 2) return tokens.map(() => NaN);
    const body = scoringBody(this.name, tokens, scoring);
    const scored = await this.complete(body, (completion): ScoredToken[] =>
      scoredTokens(completion, tokens, scoring),
    );
    return scored.map(({ logprob }) => logprob);
  }

  async continueText(request: ContinuationRequest): Promise<string> {
    const { tokenizer, stopTokens } = this.parts.student;
    const stop = stopTokens.map((id) => tokenizer.decode([id])).slice(0, MOST_STOPS);
    return this.complete(continuationBody(this.name, { ...request, stop }), ({ choice }) => choice.text);
  }

  counts(): TokenCounts {
    return this.billed.counts();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** One answer of the completions route, billed; an answer that `read` throws at is asked for again. */
  private async complete<Result>(body: string, read: (completion: Completion) => Result): Promise<Result> {
    const { result, usage } = await this.client.ask({
      route: ROUTE,
      body,
      what: 'completion that scores its prompt',
      read: (value) => {
        const completion = readCompletion(value);
        return { result: read(completion), usage: completion.usage };
      },
    });
    this.billed.add(usage);
    return result;
  }

  private orRefused<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw error instanceof AppError ? this.refusal(`its answer: ${error.message}`) : error;
    }
  }

  private refusal(why: string): AppError {
    const { scoring } = this.parts;
    return new AppError(
      'invalid_input',
      `the teacher ${this.name} at ${this.client.urlOf(ROUTE)}, asked by ${scoring}, cannot score tokens of the student: ${why}`,
    );
  }

  private names(): { student: string; teacher: string } {
    return { student: 'the student', teacher: `${this.name} at ${this.client.urlOf(ROUTE)}` };
  }
}
