import { CircleCheck, CircleDashed, CircleStop, CircleX, OctagonAlert, Ruler, Timer } from 'lucide-react';
import type { Trajectory } from '@/contract/trajectory';
import { StateWord } from '@/components/ui/state-word';

type Outcome = Pick<Trajectory, 'success' | 'stopReason' | 'error' | 'turnsCount'>;

/** Why an episode stopped, as a sentence. */
export function stopSentence({ stopReason, error, turnsCount }: Outcome): string {
  const turns = `turn ${turnsCount}`;
  switch (stopReason) {
    case 'success':
      return `Won on ${turns}.`;
    case 'failure':
      return `Ended by the environment without success on ${turns}.`;
    case 'turn_limit':
      return `Stopped by the turn limit after ${turns}, without success.`;
    case 'context_limit':
      return `Stopped by the context limit after ${turns}, without success: the next prompt would have been too long.`;
    case 'not_stated':
      return `The log does not say how the episode ended, or whether it was won; it has ${turnsCount === 1 ? '1 turn' : `${turnsCount} turns`}.`;
    case 'stopped':
      return `Ended by a person after ${turns}, before the environment ended it.`;
    case 'error':
      return `Stopped by an error in ${error?.stage ?? 'an unnamed stage'} on ${turns}: ${error?.message ?? 'no message recorded'}`;
  }
}

const FAILED = {
  failure: { icon: CircleX, word: 'fail' },
  turn_limit: { icon: Timer, word: 'turn limit' },
  context_limit: { icon: Ruler, word: 'context limit' },
  stopped: { icon: CircleStop, word: 'ended by hand' },
  error: { icon: OctagonAlert, word: 'error' },
} as const;

/** `success`, `fail` or `not stated`. */
export function outcomeName({ success }: Pick<Outcome, 'success'>): string {
  return success === null ? 'not stated' : success ? 'success' : 'fail';
}

/** Success or the way it failed, as icon and word; neither where the source does not say. */
export function OutcomeWord({ trajectory }: { trajectory: Outcome }) {
  const { success, stopReason } = trajectory;
  if (success || stopReason === 'success')
    return (
      <StateWord icon={CircleCheck} tone="ok" title={stopSentence(trajectory)}>
        success
      </StateWord>
    );
  if (stopReason === 'not_stated' || (success === null && stopReason !== 'error'))
    return (
      <StateWord icon={CircleDashed} tone="quiet" title={stopSentence(trajectory)}>
        not stated
      </StateWord>
    );
  const { icon, word } = FAILED[stopReason];
  return (
    <StateWord icon={icon} tone="bad" title={stopSentence(trajectory)}>
      {word}
    </StateWord>
  );
}
