import { hashSeed } from '@/rl/random';

/** Prompts remembered; the oldest are forgotten first. */
const REMEMBERED = 10_000;
const HASH_START = 0x811c9dc5;

/**
 * Which lane sampled which prompt, so that a prompt that goes on from one is computed where that one's keys and values
 * are kept. What it answers depends on the calls before alone.
 */
export class PromptLanes {
  /** By the hash of the prompt. Two prompts of one hash cost a prefill, nothing else. */
  private readonly lanes = new Map<number, number>();

  constructor(private readonly count: number) {}

  remember(prompt: readonly number[], lane: number): void {
    const hash = prompt.reduce(hashToken, HASH_START);
    this.lanes.delete(hash);
    this.lanes.set(hash, lane);
    const [oldest] = this.lanes.keys();
    if (this.lanes.size > REMEMBERED && oldest !== undefined) this.lanes.delete(oldest);
  }

  /** The lane of the longest remembered prompt that `prompt` begins with; where there is none, always the same one. */
  laneOf(prompt: readonly number[]): number {
    let hash = HASH_START;
    let lane: number | undefined;
    for (const token of prompt) {
      hash = hashToken(hash, token);
      lane = this.lanes.get(hash) ?? lane;
    }
    return lane ?? hashSeed(hash) % this.count;
  }
}

/** FNV-1a, a token at a time. */
function hashToken(hash: number, token: number): number {
  return Math.imul(hash ^ token, 0x01000193);
}
