import type { EpisodeView } from './scaffold';
import type { SixTools } from './six-tools';
import type { PartText } from './template';

/** Wording of the last calls; both scaffolds that show them begin from these texts. */
export const CALL_HISTORY_TEXTS = {
  history: 'Your last {count} tool calls, oldest first, each after what you saw then:\n{turns}\n\n',
  historyTurn: '{observation}\n{call}',
  noCall: '(no valid tool call)',
} as const;

interface CallHistoryWording {
  history: PartText<'count' | 'turns'>;
  historyTurn: PartText<'observation' | 'call'>;
  noCall: PartText<never>;
}

/** The last `count` turns as text, each what was seen and then called, thinking left out; empty where there is none. */
export function callHistory(
  { past }: EpisodeView,
  count: number,
  wording: CallHistoryWording,
  { callOf }: SixTools,
): string {
  const last = count === 0 ? [] : past.slice(-count);
  if (last.length === 0) return '';
  const turns = last.map(({ observation, action }) =>
    wording.historyTurn({ observation: observation.text, call: callOf(action) ?? wording.noCall({}) }),
  );
  return wording.history({ count: turns.length, turns: turns.join('\n\n') });
}
