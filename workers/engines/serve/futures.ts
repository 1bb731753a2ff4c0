import { AppError } from '@/contract/errors';
import { encodeForwardBackwardAnswer } from '../tinker/protobuf/forward-backward';
import { encodeSampleAnswer } from '../tinker/protobuf/sample';
import type { ForwardBackwardAnswer, SampleAnswer } from '../tinker/wire';
import { Refusal } from './refusal';

/** A result that was told is kept this long, for an answer can be lost on its way. */
const KEPT_AFTER_TELLING_MS = 5 * 60_000;
/** A result that nobody asks for is kept this long. */
const KEPT_UNTOLD_MS = 60 * 60_000;

/** What a request came to; some kinds have a binary form besides JSON. */
export type Result =
  | { kind: 'plain'; value: object }
  | { kind: 'sample'; value: SampleAnswer }
  | { kind: 'forward_backward'; value: ForwardBackwardAnswer };

type Outcome = { state: 'done'; result: Result } | { state: 'failed'; detail: string };

interface Entry {
  settled: Promise<void>;
  outcome: Outcome | null;
  /** When it may be forgotten, ms on the store's clock. */
  keptUntil: number;
}

/** Submitted requests and their results, by number. */
export class FutureStore {
  private readonly entries = new Map<string, Entry>();
  private lastId = 0;

  /** `now` in ms. */
  constructor(private readonly now: () => number) {}

  /** Takes a request that is under way and gives its id. */
  submit(running: Promise<Result>): string {
    const entry: Entry = { settled: Promise.resolve(), outcome: null, keptUntil: Infinity };
    const settle = (outcome: Outcome): void => {
      entry.outcome = outcome;
      entry.keptUntil = this.now() + KEPT_UNTOLD_MS;
    };
    entry.settled = running.then(
      (result) => settle({ state: 'done', result }),
      (error: unknown) => settle({ state: 'failed', detail: detailOf(error) }),
    );
    const id = String(++this.lastId);
    this.entries.set(id, entry);
    return id;
  }

  /**
   * The result, waited for at most `holdMs`. Refuses with 404 an id that is unknown or forgotten, with 408 one that takes
   * longer, and with 400 one that failed.
   */
  async retrieve(id: string, holdMs: number): Promise<Result> {
    const entry = this.entries.get(id);
    if (!entry) throw new Refusal(404, 'Future not found');
    if (!entry.outcome) await orAfter(entry.settled, holdMs);
    const { outcome } = entry;
    if (!outcome) throw new Refusal(408, 'Timeout waiting for result');
    entry.keptUntil = Math.min(entry.keptUntil, this.now() + KEPT_AFTER_TELLING_MS);
    if (outcome.state === 'failed') throw new Refusal(400, outcome.detail);
    return outcome.result;
  }

  /** Forgets what was kept long enough. */
  sweep(): void {
    const now = this.now();
    for (const [id, { keptUntil }] of this.entries) if (keptUntil < now) this.entries.delete(id);
  }
}

/** The protobuf form of a result; null where it has JSON only. */
export function binaryForm({ kind, value }: Result): Uint8Array | null {
  switch (kind) {
    case 'sample':
      return encodeSampleAnswer(value);
    case 'forward_backward':
      return encodeForwardBackwardAnswer(value);
    case 'plain':
      return null;
  }
}

function detailOf(error: unknown): string {
  if (error instanceof AppError || error instanceof Refusal) return error.message;
  console.error(error);
  return 'the server failed; its log has the reason';
}

async function orAfter(promise: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}
