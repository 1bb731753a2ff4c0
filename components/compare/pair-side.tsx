import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import type { Trajectory, Turn } from '@/contract/trajectory';
import { MISSING, formatCount, formatNumber } from '@/contract/format';
import { classNames } from '@/components/ui/class-names';
import { AvailableActions } from '@/components/trajectory/available-actions';
import { Block } from '@/components/trajectory/block';
import type { GridCrop } from '@/components/trajectory/grid-crop';
import { stopSentence } from '@/components/trajectory/outcome';
import type { HeatMode } from '@/components/trajectory/token-heat';
import { StatePicture } from '@/components/trajectory/state-picture';
import { sampleName } from '@/components/trajectory/sibling-list';
import { meanSurprise } from '@/components/trajectory/surprise';
import { answerTo } from '@/components/trajectory/transcript';
import {
  AnswerBlock,
  availableLabel,
  MemoryBlock,
  ObservationBlock,
  ReplyBlock,
  StrategyBlock,
  VerdictBlock,
} from '@/components/trajectory/turn-detail';
import { ActionText } from '@/components/trajectory/verdict';
import type { Verdict } from '@/stats/turn-marks';
import { positionAt, type PairModel, type SideModel } from './pair-model';
import { SideTag } from './side-tag';

const FRAME =
  'min-w-0 row-span-10 grid grid-cols-[minmax(0,1fr)] grid-rows-subgrid content-start rounded-md border border-line border-t-2 bg-surface';

/** What else can be asked of a turn: `turn` counts from 0. */
export type TurnPanel = (place: { side: SideModel; other: SideModel; turn: number }) => ReactNode;

/** One side at a row: its state, reply, verdict, list, observation and answer. Its parts line up with the other's. */
export function PairSide({
  side,
  model,
  row,
  showList,
  heat,
  probedSteps,
  crop,
  turnPanel,
}: {
  side: SideModel;
  model: PairModel;
  row: number;
  showList: boolean;
  /** What the reply’s tokens are shaded by. */
  heat: HeatMode;
  probedSteps: readonly number[];
  /** The part of the grid that is drawn, the same on both sides. */
  crop: GridCrop | null;
  turnPanel: TurnPanel | undefined;
}) {
  const frame = classNames(FRAME, side.name === 'a' ? 'border-t-a' : 'border-t-b');
  const label = `Side ${side.name.toUpperCase()}, ${side.title}`;
  if (!side.played)
    return (
      <section className={frame} aria-label={label}>
        <SideHead side={side} />
        <p className="row-span-8 p-2.5 text-sm text-ink-2">{missingSideWords(side.step, probedSteps)}</p>
      </section>
    );
  const { trajectory, marks } = side.played;
  const position = positionAt(model.rows, row, side.name);
  const turn = trajectory.turns[position];
  const mark = marks[position];
  const waits = turn !== undefined && model.rows[row]?.[side.name] === null;
  const moment = turn
    ? `before turn ${position + 1}${waits ? ', which is in a later row' : ''}`
    : 'after the last turn';
  return (
    <section className={frame} aria-label={label}>
      <SideHead side={side} />
      <div>
        <SideFigures side={side} />
        <div className="border-b border-line empty:border-b-0">
          <StrategyBlock strategy={trajectory.strategy} />
        </div>
      </div>
      <div className="border-b border-line">
        <StatePicture picture={turn ? turn.picture : trajectory.finalPicture} moment={moment} crop={crop} />
      </div>
      {turn && mark ? (
        <>
          <div className="border-b border-line">
            {waits ? (
              <NextTurn turn={turn} row={model.rows.findIndex((each) => each[side.name] === position)} />
            ) : null}
            <ReplyBlock turn={turn} heat={heat} advantage={trajectory.advantage} />
          </div>
          <VerdictBlock turn={turn} mark={mark} />
          <Block label={availableLabel(turn)}>{showList ? <AvailableActions turn={turn} /> : null}</Block>
          <ObservationBlock turn={turn} />
          <div>
            <AnswerBlock answer={answerTo(trajectory, position)} />
            <MemoryBlock memory={turn.memory} />
          </div>
          <div className="border-t border-line empty:border-t-0">
            {turnPanel?.({ side, other: side.name === 'a' ? model.b : model.a, turn: position })}
          </div>
        </>
      ) : (
        <div className="row-span-6 p-2.5 text-sm text-ink-2">{stopSentence(trajectory)}</div>
      )}
    </section>
  );
}

/** What a side that waits in this row does next, and in which row. */
function NextTurn({ turn, row }: { turn: Turn; row: number }) {
  return (
    <p className="border-b border-line bg-surface-2 px-2.5 py-1.5 text-sm text-ink-2">
      No turn in this row. Next, in row {row + 1}, is turn {turn.index + 1}, shown here:{' '}
      <ActionText turn={turn} />
    </p>
  );
}

/** How a side ends, in its head. */
function endWords({ stopReason, turnsCount }: Trajectory): string {
  if (stopReason === 'turn_limit') return 'hits the turn limit';
  return stopReason === 'context_limit' ? 'hits the context limit' : `ends at ${turnsCount}`;
}

/** Why a side is empty, and what could be laid there instead. */
function missingSideWords(step: number, probedSteps: readonly number[]): string {
  const steps = probedSteps.length > 0 ? `probed steps: ${probedSteps.join(', ')}` : 'no step was probed';
  return probedSteps.includes(step)
    ? `Step ${step} was probed, but not on this task.`
    : `Step ${step} was not probed; ${steps}.`;
}

function SideHead({ side }: { side: SideModel }) {
  const { played } = side;
  return (
    <div className="flex items-center gap-2 border-b border-line px-2.5 py-1.5">
      <SideTag side={side.name} />
      <h2>{side.title}</h2>
      {played ? (
        <>
          <Link
            href={`/trajectories/${encodeURIComponent(played.id)}`}
            className="text-sm text-ink-3 text-link"
          >
            {sampleName(played.trajectory)} trajectory
          </Link>
          <span className="ml-auto text-xs whitespace-nowrap text-ink-3">{endWords(played.trajectory)}</span>
        </>
      ) : null}
    </div>
  );
}

function SideFigures({ side }: { side: SideModel }) {
  if (!side.played) return null;
  const { trajectory, marks } = side.played;
  const count = (verdict: Verdict) => marks.filter((mark) => mark.verdict === verdict).length;
  const hasLists = trajectory.turns.some((turn) => turn.availableActions.length > 0);
  // Where no actions are listed, what the environment refused stands in the place of what was not in the list.
  const refused = count('not_in_list') + count('refused');
  const refusedName = hasLists ? 'not in list' : 'refused';
  const noAction = count('no_action');
  const longest = Math.max(0, ...marks.map((mark) => (mark.loop ? mark.loop.end - mark.loop.start : 0)));
  const surprise = meanSurprise(trajectory.turns.flatMap((turn) => turn.tokens?.logprobs ?? []));
  const figures: { name: string; value: string; bad?: boolean }[] = [
    { name: 'turns', value: formatCount(trajectory.turnsCount) },
    {
      name: noAction > 0 ? `${refusedName} + no action` : refusedName,
      value: noAction > 0 ? `${refused} + ${noAction}` : String(refused),
      bad: refused + noAction > 0,
    },
    { name: 'no-op', value: String(count('no_op')) },
    { name: 'longest loop', value: longest > 0 ? `${longest} turns` : 'none', bad: longest > 0 },
    { name: 'mean surprise', value: surprise === null ? MISSING : formatNumber(Number(surprise.toFixed(2))) },
  ];
  return (
    <dl className="flex flex-wrap border-b border-line">
      {figures.map(({ name, value, bad }) => (
        <div key={name} className="border-r border-line px-2.5 py-1.25 last:border-r-0">
          <dt className="text-xs font-medium text-ink-3">{name}</dt>
          <dd className={classNames('font-medium', bad && 'text-bad')}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
