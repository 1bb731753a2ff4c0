import { useKeys } from '@/components/ui/key-map';
import { nextStop } from '@/components/trajectory/position';
import { PLAYBACK_SPEEDS, type Playback } from '@/components/trajectory/use-playback';
import { isMarked } from '@/stats/turn-marks';
import type { PairModel } from './pair-model';
import type { ProbeChoices } from './pair-pickers';
import type { PairViewState } from './pair-view';
import { nextHeat } from '@/components/trajectory/token-heat';

interface PairKeys {
  model: PairModel;
  row: number;
  playback: Playback;
  state: PairViewState;
  onState: (changes: Partial<PairViewState>) => void;
  taskId: string;
  probe: ProbeChoices | null;
  swap: () => void;
}

/** The keys of a pair. */
export function usePairKeys({ model, row, playback, state, onState, taskId, probe, swap }: PairKeys): void {
  const { rows, divergences } = model;
  const { go } = playback;
  const isMarkedRow = (at: number) =>
    [model.a, model.b].some((side) => {
      const mark = side.played?.marks[rows[at]?.[side.name] ?? -1];
      return mark !== undefined && isMarked(mark);
    });
  const before = divergences.findLast((at) => at < row) ?? divergences[0] ?? row;
  const after = divergences.find((at) => at > row) ?? divergences.at(-1) ?? row;
  const changeSpeed = (offset: 1 | -1) => {
    const speed = PLAYBACK_SPEEDS[PLAYBACK_SPEEDS.indexOf(playback.speed) + offset];
    if (speed !== undefined) playback.setSpeed(speed);
  };
  const visitTask = (offset: 1 | -1) => {
    const tasks = probe?.index.tasks ?? [];
    const task = tasks[tasks.findIndex((each) => each.taskId === taskId) + offset];
    if (task) probe?.choose({ taskId: task.taskId });
  };
  useKeys([
    { keys: ['j', 'ArrowRight', 'ArrowDown'], label: 'next row', hint: true, run: () => go(row + 1) },
    { keys: ['k', 'ArrowLeft', 'ArrowUp'], label: 'previous row', hint: true, run: () => go(row - 1) },
    { keys: ['Home'], label: 'first row', run: () => go(0) },
    { keys: ['End'], label: 'last row', run: () => go(rows.length - 1) },
    { keys: ['Space'], label: 'play', hint: true, run: playback.toggle },
    { keys: ['<'], label: 'slower', run: () => changeSpeed(-1) },
    { keys: ['>'], label: 'faster', run: () => changeSpeed(1) },
    { keys: ['['], label: 'divergence before', hint: true, run: () => go(before) },
    { keys: [']'], label: 'divergence after', hint: true, run: () => go(after) },
    {
      keys: ['n'],
      label: 'next mark',
      hint: true,
      run: () => go(nextStop(rows.length, row, isMarkedRow) ?? row),
    },
    ...(probe
      ? [
          { keys: ['H'], label: 'previous task', run: () => visitTask(-1) },
          { keys: ['L'], label: 'next task', run: () => visitTask(1) },
        ]
      : []),
    { keys: ['x'], label: 'swap', hint: true, run: swap },
    { keys: ['l'], label: 'unfold loops', hint: true, run: () => onState({ unfolded: !state.unfolded }) },
    { keys: ['v'], label: 'token scale', hint: true, run: () => onState({ heat: nextHeat(state.heat) }) },
    { keys: ['d'], label: 'difference of replies', hint: true, run: () => onState({ diff: !state.diff }) },
    { keys: ['a'], label: 'available actions', run: () => onState({ list: !state.list }) },
  ]);
}
