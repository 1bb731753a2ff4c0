import type { EndpointPrices } from '@/contract/endpoint';
import type { Engine, TokenCounts } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ContinuationRequest, Teacher, TeacherSettings } from '@/contract/teacher';
import { totalCounts } from '@/rl/learning/token-counts';
import { Troubles, triedWords } from '../endpoints/troubles';
import type { EngineSpec } from '../engines/engine';
import { Backoff, isPassing } from '../retry';
import { requireSameVocabulary } from './same-vocabulary';

/** A teacher trains nothing: its engine's batches of training are never made. */
const MICRO_BATCH_TOKENS = 128;
/** How long a server that is away is waited for before the run says so, in ms. */
const PATIENCE_MS = 10_000;

/** What of an engine a teacher needs. */
type ScoringEngine = Pick<Engine, 'tokenizer' | 'stopTokens' | 'base' | 'close'>;

interface EngineTeacherParts {
  student: Pick<Engine, 'tokenizer'>;
  createEngine(spec: EngineSpec): Promise<ScoringEngine>;
  /** Ends every wait for a server. */
  signal: AbortSignal;
}

/**
 * A teacher in an engine of its own. A server that is away, or has lost its session, is opened anew until it answers; what the
 * embedded engine throws is thrown.
 */
export class EngineTeacher implements Teacher {
  readonly name: string;
  readonly prices: EndpointPrices | null;
  private readonly troubles = new Troubles();
  private engine: Promise<ScoringEngine> | null = null;
  /** Counts of engines that were given up. */
  private spent: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };
  private current: ScoringEngine | null = null;
  private isClosed = false;

  constructor(
    private readonly settings: TeacherSettings,
    private readonly parts: EngineTeacherParts,
  ) {
    this.name = settings.model;
    this.prices = settings.prices;
  }

  get trouble(): string | null {
    return this.troubles.trouble;
  }

  troubleChanged(): Promise<void> {
    return this.troubles.troubleChanged();
  }

  async prepare(): Promise<void> {
    await this.ask(() => Promise.resolve());
  }

  computeLogprobs(tokens: number[]): Promise<number[]> {
    return this.ask(({ base }) => base.computeLogprobs(tokens));
  }

  continueText({ tokens, maxTokens, temperature, seed }: ContinuationRequest): Promise<string> {
    return this.ask(async ({ base, tokenizer, stopTokens }) => {
      const [written] = await base.sample([...tokens], 1, { maxTokens, temperature, stopTokens }, seed);
      const ids = written?.tokens ?? [];
      const last = ids[ids.length - 1];
      return tokenizer.decode(last !== undefined && stopTokens.includes(last) ? ids.slice(0, -1) : ids);
    });
  }

  counts(): TokenCounts {
    const spent = { counts: () => this.spent };
    return totalCounts(this.current ? [spent, this.current.base] : [spent]);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    // One that never opened has said so to whoever waited for it.
    const engine = await this.engine?.catch(() => null);
    await engine?.close();
  }

  private async ask<Result>(call: (engine: ScoringEngine) => Promise<Result>): Promise<Result> {
    if (this.settings.kind !== 'tinker') return call(await this.opened());
    const request = {};
    const backoff = new Backoff();
    const { signal } = this.parts;
    try {
      for (let tries = 1; ; tries++) {
        signal.throwIfAborted();
        const outcome = await this.tried(call);
        if ('result' in outcome) return outcome.result;
        this.troubles.tell(request, triedWords(outcome.reason, tries));
        await backoff.wait(signal);
      }
    } finally {
      this.troubles.tell(request, null);
    }
  }

  /** One try at a server, or why it failed where that may pass. Throws any other failure. */
  private async tried<Result>(
    call: (engine: ScoringEngine) => Promise<Result>,
  ): Promise<{ result: Result } | { reason: string }> {
    const opening = this.opened();
    let engine: ScoringEngine | null = null;
    try {
      engine = await opening;
      return { result: await call(engine) };
    } catch (error) {
      if (this.isClosed || !(error instanceof AppError)) throw error;
      // A server that was started anew knows nothing of the session.
      const mayPass = isPassing(error) || (engine !== null && error.code === 'not_found');
      if (!mayPass) throw error;
      if (engine) await this.giveUp(opening, engine);
      return { reason: error.message };
    }
  }

  private opened(): Promise<ScoringEngine> {
    this.engine ??= this.open().catch((error: unknown) => {
      this.engine = null;
      throw error;
    });
    return this.engine;
  }

  private async open(): Promise<ScoringEngine> {
    const { kind, model, children } = this.settings;
    if (kind === 'endpoint') throw new AppError('internal', `teacher.kind is ${kind}, expected an engine`);
    const patience = kind === 'tinker' ? { patienceMs: PATIENCE_MS } : {};
    const spec = { kind, model, children, microBatchTokens: MICRO_BATCH_TOKENS, ...patience };
    const engine = await this.parts.createEngine(spec);
    try {
      if (this.isClosed) throw new AppError('invalid_input', `the teacher ${model} was closed`);
      const names = { student: 'the student', teacher: model };
      requireSameVocabulary(this.parts.student.tokenizer, engine.tokenizer, names);
    } catch (error) {
      await engine.close();
      throw error;
    }
    this.current = engine;
    return engine;
  }

  /** Has the next request open another engine; of several requests that failed with this one the first does. */
  private async giveUp(opening: Promise<ScoringEngine>, engine: ScoringEngine): Promise<void> {
    if (this.engine !== opening) return;
    this.engine = null;
    this.spent = this.counts();
    this.current = null;
    await engine.close();
  }
}
