import { createHash } from 'node:crypto';
import { formatCount } from '@/contract/format';
import type { RunEvent } from '@/contract/run-events';

/**
 * Bytes of a text that an index keeps beside a run's id and a step: of 2,704 that Postgres allows an entry. It compresses
 * first, but what a text comes to then is not to be relied on.
 */
const MAX_BYTES = 2_500;

/**
 * The text where an index holds it, else its beginning with a mark that says so. The mark ends in a hash of the whole: two
 * tasks whose names begin alike stay two.
 */
export function indexedText(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const mark = `… (cut, ${formatCount(text.length)} characters, sha256 ${hash})`;
  // Writes whole characters alone.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_BYTES - Buffer.byteLength(mark)));
  return text.slice(0, read) + mark;
}

/**
 * The event with the texts that indexes hold cut to what they take; the contract bounds all others. An evaluation names its
 * task types as its trajectories do.
 */
export function withIndexedTexts(event: RunEvent): RunEvent {
  if (event.kind === 'trajectory:finished') {
    const { taskType, taskId, flags } = event.trajectory;
    const texts = {
      taskType: indexedText(taskType),
      taskId: indexedText(taskId),
      flags: flags.map(indexedText),
    };
    return { ...event, trajectory: { ...event.trajectory, ...texts } };
  }
  if (event.kind !== 'evaluation:finished') return event;
  const byTaskType = event.evaluation.byTaskType.map((count) => ({
    ...count,
    taskType: indexedText(count.taskType),
  }));
  return { ...event, evaluation: { ...event.evaluation, byTaskType } };
}
