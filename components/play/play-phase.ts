import type { PlayState } from '@/contract/play';
import { isFinalStatus } from '@/contract/run';

/** How a play stands, as the screen says it. */
export type PlayPhase =
  | { name: 'waiting'; words: string }
  | { name: 'thinking'; words: string }
  | { name: 'yours'; words: string }
  | { name: 'over'; words: string }
  | { name: 'lost'; words: string };

export function phaseOf({ status, reason, moments, lastCommand, config }: PlayState): PlayPhase {
  const last = moments.at(-1);
  if (isFinalStatus(status)) {
    const how = last?.over ? (last.success ? 'Won.' : 'Over.') : `The run is ${status}.`;
    return { name: 'over', words: reason ? `${how} ${reason}` : how };
  }
  if (status === 'lost')
    return {
      name: 'lost',
      words:
        'No heartbeat for a lease. The worker’s return revives the play; else another one replays your commands.',
    };
  if (status === 'queued') return { name: 'waiting', words: reason ?? 'Waiting for a worker to claim it.' };
  if (!last) return { name: 'waiting', words: 'A worker loads the checkpoint.' };
  if (last.over) return { name: 'over', words: 'Over; the record is being saved.' };
  if (last.busy || lastCommand > last.command) return { name: 'thinking', words: 'The model is thinking.' };
  return config.world.kind === 'task'
    ? { name: 'yours', words: 'Your turn, or the model’s.' }
    : { name: 'yours', words: 'Paste what it sees next.' };
}
