'use client';
import { useMemo } from 'react';
import type { Pair } from '@/contract/pair';
import { Panel } from '@/components/ui/panel';
import { cropOf } from '@/components/trajectory/grid-crop';
import { HeatPicker } from '@/components/trajectory/heat-picker';
import { PlayControls } from '@/components/trajectory/play-controls';
import type { HeatMode } from '@/components/trajectory/token-heat';
import { usePlayback } from '@/components/trajectory/use-playback';
import { divergenceWords } from './divergence-words';
import { Lanes } from './lanes';
import { usePairKeys } from './pair-keys';
import { buildPairModel, type SideName } from './pair-model';
import { PairHead, SidePickers, type ProbeChoices } from './pair-pickers';
import { PairSide, type TurnPanel } from './pair-side';
import { ReplyDifference } from './reply-difference';
import { SampleLinks, SamplesNote } from './samples-note';
import { Spine } from './spine';
import { TurnFigures } from './turn-figures';

/** What of the view a link keeps, beside what is laid side by side. */
export interface PairViewState {
  /** Aligned row from 0; null = the first divergence. */
  row: number | null;
  /** The lists of available actions are shown. */
  list: boolean;
  /** Long loops are shown in full. */
  unfolded: boolean;
  /** What the tokens of replies are shaded by. */
  heat: HeatMode;
  /** The replies' difference is shown. */
  diff: boolean;
}

interface PairViewProps {
  pair: Pair;
  /** Null where the pair is of two given trajectories. */
  probe: ProbeChoices | null;
  state: PairViewState;
  onState: (changes: Partial<PairViewState>) => void;
  swap: () => void;
  lay: (side: SideName, trajectoryId: string) => void;
  /** What else can be asked of a turn, below what was recorded of it. */
  turnPanel?: TurnPanel;
}

/** The same task twice: lanes on top, side A, the zipper, side B. Opens at the first divergence. */
export function PairView({ pair, probe, state, onState, swap, lay, turnPanel }: PairViewProps) {
  const model = useMemo(() => buildPairModel(pair), [pair]);
  const crop = useMemo(
    () => cropOf([pair.a, pair.b].flatMap(({ played }) => played?.trajectory ?? [])),
    [pair],
  );
  const last = Math.max(0, model.rows.length - 1);
  const row = Math.min(state.row ?? model.firstDivergence ?? 0, last);
  const playback = usePlayback(row, last, (next) => onState({ row: next }));
  const { go } = playback;
  const sides = [model.a, model.b] as const;
  usePairKeys({ model, row, playback, state, onState, taskId: pair.taskId, probe, swap });
  const shown = { model, row, crop, showList: state.list, heat: state.heat, turnPanel };
  return (
    <>
      <PairHead pair={pair} probe={probe} />
      <SidePickers sides={sides} probe={probe} swap={swap} lay={lay} />
      <div className="mt-2">
        <SamplesNote model={model} />
      </div>
      <Panel className="mt-2.5 grid grid-cols-[292px_minmax(0,1fr)]" aria-label="Lanes">
        <div className="flex flex-col justify-center gap-1.5 border-r border-line px-2.5 py-2">
          <PlayControls playback={playback} position={row} last={last} noun="row" />
          <input
            type="range"
            aria-label="Row"
            aria-valuetext={`row ${row + 1} of ${last + 1}`}
            min={0}
            max={last}
            value={row}
            onChange={(event) => go(Number(event.target.value))}
            className="w-full accent-ink"
          />
          <p className="text-xs text-ink-3">{divergenceWords(model)}</p>
        </div>
        <Lanes model={model} row={row} go={go} />
      </Panel>
      <div className="mt-2.5 grid grid-cols-[minmax(0,1fr)_minmax(340px,432px)_minmax(0,1fr)] grid-rows-[repeat(9,auto)_1fr] items-stretch gap-x-2.5 max-[1100px]:grid-cols-2">
        <PairSide side={model.a} probedSteps={probe?.index.steps ?? []} {...shown} />
        <div className="row-span-10 flex flex-col gap-2.5 self-start max-[1100px]:col-span-2">
          <Spine
            model={model}
            row={row}
            go={go}
            unfolded={state.unfolded}
            onUnfold={(unfolded) => onState({ unfolded })}
          />
          <HeatPicker mode={state.heat} onMode={(heat) => onState({ heat })} />
          <ReplyDifference model={model} row={row} open={state.diff} onOpen={(diff) => onState({ diff })} />
          <TurnFigures model={model} row={row} />
          <SampleLinks sides={sides} />
        </div>
        <PairSide side={model.b} probedSteps={probe?.index.steps ?? []} {...shown} />
      </div>
    </>
  );
}
