import type { Trajectory, Turn } from '@/contract/trajectory';
import type { TurnCut } from '@/contract/trajectory-cut';
import type { TurnMark } from '@/stats/turn-marks';
import { formatReward } from '@/contract/format';
import { classNames } from '@/components/ui/class-names';
import { keepInView } from './keep-in-view';
import { PendingTurn } from './pending-turn';
import { PlainText } from './plain-text';
import { stopSentence } from './outcome';
import type { HeatMode } from './token-heat';
import { TurnDetail } from './turn-detail';
import { ActionText, isUngrounded, LoopStart, VerdictIcon } from './verdict';

const COLUMNS = 'grid grid-cols-[34px_22px_minmax(120px,232px)_minmax(0,1fr)_48px] items-baseline text-left';

/** More than two lines hold of an answer. */
const LINE_CHARACTERS = 400;

interface TranscriptProps {
  trajectory: Trajectory;
  marks: readonly TurnMark[];
  /** Index of the turn that is shown; `turns.length` = the final state. */
  position: number;
  go: (position: number) => void;
  /** Whether the shown turn is opened, and whether with its list of available actions. */
  open: boolean;
  onOpen: (open: boolean) => void;
  showList: boolean;
  /** What the tokens of replies are shaded by. */
  heat: HeatMode;
  /** The shown turn came cut and is being read. */
  pending: TurnCut | null;
}

/** One line a turn, the shown one opened below its line. Ends with why the episode stopped. */
export function Transcript({
  trajectory,
  marks,
  position,
  go,
  open,
  onOpen,
  showList,
  heat,
  pending,
}: TranscriptProps) {
  const { turns } = trajectory;
  return (
    <ol aria-label="Turns">
      {turns.map((turn, index) => {
        const mark = marks[index];
        if (!mark) return null;
        const current = index === position;
        const answer = answerTo(trajectory, index);
        return (
          <li
            key={index}
            ref={current ? keepInView : undefined}
            className="scroll-my-14 border-b border-line"
          >
            <TurnLine
              turn={turn}
              mark={mark}
              answer={answer}
              current={current}
              opened={current && open}
              onClick={() => (current ? onOpen(!open) : go(index))}
            />
            {current && open ? (
              <div className="ml-14 border-t border-line">
                {pending ? (
                  <PendingTurn turn={turn} cut={pending} />
                ) : (
                  <TurnDetail
                    turn={turn}
                    mark={mark}
                    answer={answer}
                    showList={showList}
                    heat={heat}
                    advantage={trajectory.advantage}
                  />
                )}
              </div>
            ) : null}
          </li>
        );
      })}
      <li ref={position === turns.length ? keepInView : undefined} className="scroll-my-14">
        <button
          type="button"
          onClick={() => go(turns.length)}
          aria-current={position === turns.length ? 'step' : undefined}
          className={classNames(
            'flex w-full gap-2 px-2.5 py-1.5 text-left text-sm',
            position === turns.length ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <span className="text-xs text-ink-3">end</span>
          <span>
            {stopSentence(trajectory)} Reward {formatReward(trajectory.reward)}.
          </span>
        </button>
      </li>
    </ol>
  );
}

function TurnLine({
  turn,
  mark,
  answer,
  current,
  opened,
  onClick,
}: {
  turn: Turn;
  mark: TurnMark;
  answer: string | null;
  current: boolean;
  opened: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-current={current ? 'step' : undefined}
      aria-expanded={opened}
      className={classNames(
        COLUMNS,
        'w-full py-1 pr-2.5 text-sm',
        current ? 'bg-selected' : 'hover:bg-hover',
        isUngrounded(mark) && 'shadow-[inset_2px_0_var(--bad)]',
        mark.verdict === 'no_op' && 'shadow-[inset_2px_0_var(--line-2)]',
      )}
    >
      <span className="pr-2 text-right text-xs text-ink-3">{turn.index + 1}</span>
      <VerdictIcon mark={mark} />
      <span className="min-w-0 pr-2 font-medium break-words">
        <ActionText turn={turn} /> <LoopStart mark={mark} turn={turn.index} />
      </span>
      <span className="line-clamp-2 font-mono text-mono text-ink-2">
        {answer === null ? '' : <PlainText text={answer.slice(0, LINE_CHARACTERS)} />}
      </span>
      <span className="text-right">{formatReward(turn.reward)}</span>
    </button>
  );
}

/** The environment's answer to a turn's action: what the next turn observed, or the last observation. */
export function answerTo({ turns, finalObservation }: Trajectory, index: number): string | null {
  return index + 1 < turns.length ? (turns[index + 1]?.observation ?? null) : finalObservation;
}
