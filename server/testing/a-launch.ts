import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import type { ClaimedRun } from '@/contract/socket';

/** A launch as the form sends it. */
export function aLaunch(changes: Record<string, unknown> = {}) {
  return { name: 'a run', recipe: 'grpo', preset: 'verify', config: GRPO_PRESETS.verify, ...changes };
}

/** Events of a claimed run as its worker stamps them, from `fromSeq` on. */
export function stamp(
  { runId, attempt }: Pick<ClaimedRun, 'runId' | 'attempt'>,
  events: RunEvent[],
  fromSeq = 0,
): StampedEvent[] {
  return events.map((event, index) => ({
    v: 1,
    runId,
    attempt,
    seq: fromSeq + index,
    at: 1_700_000_000_000 + fromSeq + index,
    event,
  }));
}

/** `count` points of one series, at the steps from `fromStep` on, one event each. */
export function somePoints(count: number, fromStep = 1): RunEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'points:measured',
    step: fromStep + index,
    points: [{ name: 'reward/mean', value: (fromStep + index) / 1000 }],
  }));
}
