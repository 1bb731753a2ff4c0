import type { PlayMoment, PlayState } from '@/contract/play';
import { isFinalStatus, type RunStatus } from '@/contract/run';

/** How a play stands, as the screen says it. */
export type PlayPhase =
  | { name: 'waiting'; words: string }
  | { name: 'thinking'; words: string }
  | { name: 'yours'; words: string }
  | { name: 'over'; words: string }
  /** It ended by an error, not by its episode. */
  | { name: 'failed'; words: string }
  | { name: 'stopped'; words: string }
  | { name: 'lost'; words: string };

export function phaseOf({ status, reason, moments, lastCommand, config }: PlayState): PlayPhase {
  const last = moments.at(-1);
  if (isFinalStatus(status)) return endOf(status, reason, last);
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

function endOf(status: RunStatus, reason: string | null, last: PlayMoment | undefined): PlayPhase {
  const name = status === 'failed' || status === 'stopped' ? status : 'over';
  const episode = last?.over ? (last.success ? 'Won.' : 'Over.') : null;
  const run = name === 'failed' ? 'The play failed.' : name === 'stopped' ? 'The play was stopped.' : null;
  const ended = [episode, run].filter((words) => words !== null);
  const how = ended.length > 0 ? ended : [`The run is ${status}.`];
  return { name, words: [...how, ...(reason ? [reason] : [])].join(' ') };
}

/** Whether nothing more can be done in a play. */
export function hasEnded({ name }: PlayPhase): boolean {
  return name === 'over' || name === 'failed' || name === 'stopped';
}
