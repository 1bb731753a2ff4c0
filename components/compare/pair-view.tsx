'use client';
import { useMemo } from 'react';
import type { Pair, ProbeIndex } from '@/contract/api';
import { useKeys } from '@/components/ui/key-map';
import { Panel } from '@/components/ui/panel';
import { cropOf } from '@/components/trajectory/grid-crop';
import { PlayControls } from '@/components/trajectory/play-controls';
import { usePlayback } from '@/components/trajectory/use-playback';
import { nextStop } from '@/components/trajectory/position';
import { isMarked } from '@/stats/turn-marks';
import { Lanes } from './lanes';
import { PairHead, StepPickers, type PairChoice } from './pair-pickers';
import { buildPairModel, type PairModel } from './pair-model';
import { PairSide } from './pair-side';
import { SampleLinks, SamplesNote } from './samples-note';
import { Spine } from './spine';
import { TurnFigures } from './turn-figures';

/** What of the view a link keeps, beside the choice of task and steps. */
export interface PairViewState {
  /** Aligned row from 0; null = the first divergence. */
  row: number | null;
  /** The lists of available actions are shown. */
  list: boolean;
  /** Long loops are shown in full. */
  unfolded: boolean;
}

interface PairViewProps {
  pair: Pair;
  index: ProbeIndex;
  state: PairViewState;
  onState: (changes: Partial<PairViewState>) => void;
  choose: (choice: Partial<PairChoice>) => void;
}

/** The same task at two checkpoints: lanes on top, side A, the zipper, side B. Opens at the first divergence. */
export function PairView({ pair, index, state, onState, choose }: PairViewProps) {
  const model = useMemo(() => buildPairModel(pair), [pair]);
  const crop = useMemo(
    () => cropOf([pair.a, pair.b].flatMap(({ greedy }) => greedy?.trajectory ?? [])),
    [pair],
  );
  const last = Math.max(0, model.rows.length - 1);
  const row = Math.min(state.row ?? model.firstDivergence ?? 0, last);
  const playback = usePlayback(row, last, (next) => onState({ row: next }));
  const { go } = playback;
  const sides = [model.a, model.b] as const;
  const swap = () => choose({ a: pair.b.step, b: pair.a.step });
  usePairKeys({ pair, index, state, onState, choose, model, row, go, swap, play: playback.toggle });
  return (
    <>
      <PairHead pair={pair} index={index} onTask={(taskId) => choose({ taskId })} />
      <StepPickers
        sides={sides}
        steps={index.steps}
        choose={(side, step) => choose({ [side]: step })}
        swap={swap}
      />
      <div className="mt-2">
        <SamplesNote sides={sides} />
      </div>
      <Panel className="mt-2.5 grid grid-cols-[292px_minmax(0,1fr)]" aria-label="Lanes">
        <div className="flex flex-col justify-center gap-1.5 border-r border-line px-2.5 py-2">
          <PlayControls playback={playback} position={row} last={last} noun="row" />
          <p className="text-xs text-ink-3">{divergenceWords(model)}</p>
        </div>
        <Lanes model={model} row={row} go={go} />
      </Panel>
      <div className="mt-2.5 grid grid-cols-[minmax(0,1fr)_minmax(340px,432px)_minmax(0,1fr)] grid-rows-[repeat(8,auto)_1fr] items-stretch gap-x-2.5 max-[1100px]:grid-cols-2">
        <PairSide
          side={model.a}
          model={model}
          row={row}
          showList={state.list}
          probedSteps={index.steps}
          crop={crop}
        />
        <div className="row-span-9 flex flex-col gap-2.5 self-start max-[1100px]:col-span-2">
          <Spine
            model={model}
            row={row}
            go={go}
            unfolded={state.unfolded}
            onUnfold={(unfolded) => onState({ unfolded })}
          />
          <TurnFigures model={model} row={row} />
          <SampleLinks sides={sides} />
        </div>
        <PairSide
          side={model.b}
          model={model}
          row={row}
          showList={state.list}
          probedSteps={index.steps}
          crop={crop}
        />
      </div>
    </>
  );
}

/** Where the sides part, in a sentence. */
function divergenceWords(model: PairModel): string {
  if (!model.a.played || !model.b.played) return 'Only one side was probed: nothing to compare.';
  if (model.firstDivergence === null) return 'No divergence: both sides act alike on every turn.';
  const count = model.divergences.length;
  return `First divergence at row ${model.firstDivergence + 1}${count > 1 ? `, ${count} in all` : ''}. Aligned by action and state.`;
}

interface PairKeys extends PairViewProps {
  model: PairModel;
  row: number;
  go: (row: number) => void;
  swap: () => void;
  play: () => void;
}

function usePairKeys({ pair, index, state, onState, choose, model, row, go, swap, play }: PairKeys): void {
  const { rows, divergences } = model;
  const isMarkedRow = (at: number) =>
    [model.a, model.b].some((side) => {
      const mark = side.played?.marks[rows[at]?.[side.name] ?? -1];
      return mark !== undefined && isMarked(mark);
    });
  const visitTask = (offset: 1 | -1) => {
    const task = index.tasks[index.tasks.findIndex(({ taskId }) => taskId === pair.taskId) + offset];
    if (task) choose({ taskId: task.taskId });
  };
  const lastBefore = divergences.filter((at) => at < row).at(-1);
  const firstAfter = divergences.find((at) => at > row);
  useKeys([
    { keys: ['j', 'ArrowRight', 'ArrowDown'], label: 'next row', hint: true, run: () => go(row + 1) },
    { keys: ['k', 'ArrowLeft', 'ArrowUp'], label: 'previous row', hint: true, run: () => go(row - 1) },
    { keys: ['Home'], label: 'first row', run: () => go(0) },
    { keys: ['End'], label: 'last row', run: () => go(rows.length - 1) },
    { keys: ['Space'], label: 'play', hint: true, run: play },
    {
      keys: ['['],
      label: 'divergence before',
      hint: true,
      run: () => go(lastBefore ?? divergences[0] ?? row),
    },
    {
      keys: [']'],
      label: 'divergence after',
      hint: true,
      run: () => go(firstAfter ?? divergences.at(-1) ?? row),
    },
    {
      keys: ['n'],
      label: 'next mark',
      hint: true,
      run: () => go(nextStop(rows.length, row, isMarkedRow) ?? row),
    },
    { keys: ['H'], label: 'previous task', run: () => visitTask(-1) },
    { keys: ['L'], label: 'next task', run: () => visitTask(1) },
    { keys: ['x'], label: 'swap', hint: true, run: swap },
    { keys: ['l'], label: 'unfold loops', hint: true, run: () => onState({ unfolded: !state.unfolded }) },
    { keys: ['a'], label: 'available actions', run: () => onState({ list: !state.list }) },
  ]);
}
