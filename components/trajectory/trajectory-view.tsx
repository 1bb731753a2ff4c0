'use client';
import { useMemo } from 'react';
import type { TrajectoryDetail } from '@/contract/api';
import type { TurnCut } from '@/contract/trajectory-cut';
import { isMarked, markTurns } from '@/stats/turn-marks';
import { useKeys } from '@/components/ui/key-map';
import { Panel, PanelHead } from '@/components/ui/panel';
import { cropOf } from './grid-crop';
import { PlayControls } from './play-controls';
import { nextStop } from './position';
import { sampleName, SiblingList, withSiblings } from './sibling-list';
import { StatePicture } from './state-picture';
import { curveLink, pairLink, TrajectoryHead } from './trajectory-head';
import { HeatPicker } from './heat-picker';
import { nextHeat, type HeatMode } from './token-heat';
import { TrajectoryNumbers } from './trajectory-numbers';
import { Transcript } from './transcript';
import { StrategyBlock } from './turn-detail';
import { TurnRail } from './turn-rail';
import { usePlayback } from './use-playback';

/** What of the view a link keeps. */
export interface TrajectoryViewState {
  /** Index of the shown turn; the count of turns = the final state. */
  position: number;
  /** The shown turn is opened in the transcript. */
  open: boolean;
  /** An opened turn shows its available actions. */
  list: boolean;
  /** What the tokens of replies are shaded by. */
  heat: HeatMode;
}

interface TrajectoryViewProps {
  detail: TrajectoryDetail;
  /** The shown turn came cut and is being read; null: it is whole. */
  pending?: TurnCut | null;
  state: TrajectoryViewState;
  onState: (changes: Partial<TrajectoryViewState>) => void;
  /** Opens another page of the product. */
  visit: (href: string) => void;
}

/** Siblings at the left, the transcript in the middle, state and figures at the right. */
export function TrajectoryView({ detail, pending = null, state, onState, visit }: TrajectoryViewProps) {
  const { trajectory } = detail;
  const { position } = state;
  const last = trajectory.turns.length;
  const marks = useMemo(() => markTurns(trajectory.turns, trajectory.finalPicture), [trajectory]);
  const crop = useMemo(() => cropOf([trajectory]), [trajectory]);
  const siblings = withSiblings(detail);
  const place = siblings.findIndex((row) => row.id === detail.id);
  const playback = usePlayback(position, last, (next) => onState({ position: next }));
  const { go } = playback;
  const visitSibling = (offset: 1 | -1) => {
    const sibling = siblings[place + offset];
    if (sibling) visit(`/trajectories/${encodeURIComponent(sibling.id)}`);
  };
  const pair = pairLink(detail);
  useKeys([
    { keys: ['j', 'ArrowDown', 'ArrowRight'], label: 'next turn', hint: true, run: () => go(position + 1) },
    { keys: ['k', 'ArrowUp', 'ArrowLeft'], label: 'previous turn', hint: true, run: () => go(position - 1) },
    { keys: ['Home'], label: 'first turn', run: () => go(0) },
    { keys: ['End'], label: 'final state', run: () => go(last) },
    { keys: ['Space'], label: 'play', hint: true, run: playback.toggle },
    { keys: ['Enter'], label: 'open turn', hint: true, run: () => onState({ open: !state.open }) },
    { keys: ['a'], label: 'available actions', hint: true, run: () => onState({ list: !state.list }) },
    {
      keys: ['n'],
      label: 'next mark',
      hint: true,
      run: () => go(nextStop(last, position, (index) => isMarkedAt(marks, index)) ?? position),
    },
    { keys: ['v'], label: 'token scale', run: () => onState({ heat: nextHeat(state.heat) }) },
    { keys: ['H'], label: 'previous sample', hint: true, run: () => visitSibling(-1) },
    { keys: ['L'], label: 'next sample', hint: true, run: () => visitSibling(1) },
    { keys: ['c'], label: 'on the curve', hint: true, run: () => visit(curveLink(detail)) },
    {
      keys: ['P'],
      label: 'lay beside another trajectory',
      run: () => visit(`/pair?a=${encodeURIComponent(detail.id)}`),
    },
    ...(pair ? [{ keys: ['p'], label: 'pair', hint: true, run: () => visit(pair) }] : []),
  ]);
  const shown = trajectory.turns[position];
  return (
    <>
      <TrajectoryHead
        detail={detail}
        marks={marks}
        place={place}
        count={siblings.length}
        onSibling={visitSibling}
      />
      <div className="grid grid-cols-[264px_minmax(0,1fr)_328px] items-start gap-2.5 max-[1100px]:grid-cols-1">
        <SiblingList detail={detail} rows={siblings} />
        <Panel>
          <PanelHead
            title="Transcript"
            caption={`${sampleName(trajectory)}, sampled by step ${trajectory.step}`}
          >
            <PlayControls playback={playback} position={position} last={last} />
          </PanelHead>
          <div className="flex items-center gap-2 border-b border-line px-2.5 py-1.5">
            <TurnRail marks={marks} position={position} go={go} />
            <span className="text-sm whitespace-nowrap text-ink-3">
              {shown ? position + 1 : 'end'} / {last}
            </span>
          </div>
          <StrategyBlock strategy={trajectory.strategy} />
          <Transcript
            trajectory={trajectory}
            marks={marks}
            position={position}
            go={go}
            open={state.open}
            onOpen={(open) => onState({ open })}
            showList={state.list}
            heat={state.heat}
            pending={pending}
          />
        </Panel>
        <div className="flex flex-col gap-2.5">
          <Panel>
            <PanelHead title={shown ? `State before turn ${position + 1}` : 'Final state'} />
            <StatePicture
              picture={shown ? shown.picture : trajectory.finalPicture}
              moment={shown ? `before turn ${position + 1}` : 'after the last turn'}
              size={304}
              crop={crop}
            />
          </Panel>
          <HeatPicker mode={state.heat} onMode={(heat) => onState({ heat })} />
          <TrajectoryNumbers trajectory={trajectory} position={position} cut={detail.cut} />
        </div>
      </div>
    </>
  );
}

function isMarkedAt(marks: ReturnType<typeof markTurns>, index: number): boolean {
  const mark = marks[index];
  return mark !== undefined && isMarked(mark);
}
