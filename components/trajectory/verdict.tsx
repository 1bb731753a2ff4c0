import { Ban, Check, CircleSlash, MessageCircleX, Minus, Repeat, X, type LucideIcon } from 'lucide-react';
import { MISSING } from '@/contract/format';
import type { Turn } from '@/contract/trajectory';
import type { TurnMark, Verdict } from '@/stats/turn-marks';
import { Icon } from '@/components/ui/icon';
import { StateWord } from '@/components/ui/state-word';
import { TONE_TEXT, type Tone } from '@/components/ui/tone';

export const VERDICTS: Record<Verdict, { icon: LucideIcon; tone: Tone; word: string }> = {
  in_list: { icon: Check, tone: 'ok', word: 'in list' },
  no_op: { icon: CircleSlash, tone: 'quiet', word: 'no-op' },
  not_in_list: { icon: X, tone: 'bad', word: 'not in list' },
  no_action: { icon: MessageCircleX, tone: 'bad', word: 'no action' },
  refused: { icon: Ban, tone: 'bad', word: 'refused' },
  no_list: { icon: Minus, tone: 'quiet', word: `in list: ${MISSING}` },
};

/** Whether nothing is held against the action itself; a loop may still be. */
export function isPlain({ verdict }: TurnMark): boolean {
  return verdict === 'in_list' || verdict === 'no_list';
}

/** Whether the action did not fit what stood before the agent. */
export function isUngrounded({ verdict }: TurnMark): boolean {
  return verdict === 'not_in_list' || verdict === 'no_action' || verdict === 'refused';
}

/** A mark in one phrase: `not in list, loop ×16`. */
export function markWords({ verdict, loop }: TurnMark): string {
  return VERDICTS[verdict].word + (loop ? `, loop ×${loop.repeats}` : '');
}

/** The verdict as an icon for dense rows; its word is there for readers and on hover. */
export function VerdictIcon({ mark }: { mark: TurnMark }) {
  const { icon, tone } = VERDICTS[mark.verdict];
  const words = markWords(mark);
  return (
    <span title={words} className={`inline-flex ${isPlain(mark) ? 'text-ink-3' : TONE_TEXT[tone]}`}>
      <Icon of={icon} size="small" />
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** `×16` at the turn with which a loop begins; nothing elsewhere. */
export function LoopStart({ mark, turn }: { mark: TurnMark; turn: number }) {
  if (mark.loop?.start !== turn) return null;
  return (
    <span
      title={`loop of ${mark.loop.period === 1 ? 'one turn' : `${mark.loop.period} turns`}, ${mark.loop.repeats} times`}
      className="inline-flex items-center gap-0.5 font-sans text-xs font-medium whitespace-nowrap text-bad"
    >
      <Icon of={Repeat} size="small" /> ×{mark.loop.repeats}
    </span>
  );
}

/** The action as it was sent, or that the reply held none. */
export function ActionText({ turn }: { turn: Pick<Turn, 'action' | 'formatOk'> }) {
  return turn.formatOk ? (
    <span className="font-mono">{turn.action}</span>
  ) : (
    <span className="text-ink-3 italic">no single action in the reply</span>
  );
}

/** The verdict on an action in full: its place in the list, what the environment made of it, its loop. */
export function VerdictWords({ turn, mark }: { turn: Turn; mark: TurnMark }) {
  const { icon, tone } = VERDICTS[mark.verdict];
  const { loop } = mark;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <StateWord icon={icon} tone={tone}>
        {verdictSentence(turn, mark.verdict)}
      </StateWord>
      {loop ? (
        <StateWord icon={Repeat} tone="bad">
          {loop.period === 1
            ? `${turn.index - loop.start + 1} of ${loop.repeats} in a row, state unchanged`
            : `loop of ${loop.period} turns ×${loop.repeats}, from turn ${loop.start + 1}`}
        </StateWord>
      ) : null}
    </span>
  );
}

const NO_LIST_WORDS = `in list: ${MISSING}, none listed`;

function verdictSentence(turn: Turn, verdict: Verdict): string {
  const offered = turn.availableActions.length;
  switch (verdict) {
    case 'no_action':
      return 'no single action in the reply';
    case 'not_in_list':
      return turn.valid ? 'not in list, yet the environment took it' : 'not in list';
    case 'refused':
      return `refused; ${NO_LIST_WORDS}`;
    case 'no_list':
      return NO_LIST_WORDS;
    case 'no_op':
      return offered > 0
        ? `in list, no-op: state unchanged${turn.valid ? '' : ', refused by the environment'}`
        : `no-op: state unchanged; ${NO_LIST_WORDS}`;
    case 'in_list':
      return `in list (${turn.availableActions.indexOf(turn.action) + 1} of ${offered})${turn.valid ? '' : ', yet the environment refused it'}`;
  }
}
