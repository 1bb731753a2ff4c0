import type { Pair, PairSide } from '@/contract/pair';
import type { Trajectory } from '@/contract/trajectory';
import { sampleName } from '@/components/trajectory/sibling-list';
import { alignTurns, listDivergences, type AlignedRow, type Alignment } from '@/stats/alignment';
import type { PlayFacts } from '@/stats/moves';
import { markTurns, type Loop, type TurnMark } from '@/stats/turn-marks';

export type SideName = 'a' | 'b';

/** One side of a pair with its marks; `played` is null where the step was not probed. */
export interface SideModel extends Omit<PairSide, 'played'> {
  name: SideName;
  /** What tells it from the other side: `step 10`, `run x, step 10`, `step 10, sample 3`. */
  title: string;
  played: { id: string; trajectory: Trajectory; marks: TurnMark[] } | null;
}

/** Two trajectories of a task, aligned. */
export interface PairModel extends Alignment {
  /** Rows at which the sides part, ascending. */
  divergences: number[];
  a: SideModel;
  b: SideModel;
}

const NOT_PLAYED: PlayFacts = { turns: [], finalPicture: null, finalObservation: null };

export function buildPairModel(pair: Pair): PairModel {
  const { rows, firstDivergence } = alignTurns(
    pair.a.played?.trajectory ?? NOT_PLAYED,
    pair.b.played?.trajectory ?? NOT_PLAYED,
  );
  const bothPlayed = pair.a.played !== null && pair.b.played !== null;
  return {
    rows,
    firstDivergence: bothPlayed ? firstDivergence : null,
    divergences: bothPlayed ? listDivergences(rows) : [],
    a: sideModel('a', pair.a, pair.b),
    b: sideModel('b', pair.b, pair.a),
  };
}

function sideModel(name: SideName, side: PairSide, other: PairSide): SideModel {
  const { played } = side;
  return {
    ...side,
    name,
    title: sideTitle(side, other),
    played: played && {
      ...played,
      marks: markTurns(played.trajectory.turns, played.trajectory.finalPicture),
    },
  };
}

function sideTitle(side: PairSide, other: PairSide): string {
  const step = `step ${side.step}`;
  if (checkpointRunOf(side).id !== checkpointRunOf(other).id) return `${checkpointRunOf(side).name}, ${step}`;
  if (side.step !== other.step || !side.played) return step;
  return `${step}, ${sampleName(side.played.trajectory)}`;
}

/** The run whose checkpoint acted on a side. */
export function checkpointRunOf({ checkpointRun, runId, runName }: PairSide): { id: string; name: string } {
  return checkpointRun ?? { id: runId, name: runName };
}

/**
 * Where a side stands at a row: the index of its turn there or, in a row without one, of its next turn; the count of
 * its turns once it has ended.
 */
export function positionAt(rows: readonly AlignedRow[], row: number, side: SideName): number {
  return rows.slice(0, row).filter((earlier) => earlier[side] !== null).length;
}

/** The rows a loop of one side covers, `first` to `last`. */
export function loopRows(
  rows: readonly AlignedRow[],
  side: SideName,
  loop: Loop,
): { first: number; last: number } {
  return {
    first: rows.findIndex((row) => row[side] === loop.start),
    last: rows.findIndex((row) => row[side] === loop.end - 1),
  };
}

/** Each loop of a side once. */
export function listLoops(side: SideModel): Loop[] {
  return [...new Set(side.played?.marks.flatMap((mark) => mark.loop ?? []) ?? [])];
}

/** Rows of the spine: one that is shown, or a stretch `first .. last` that is folded away. */
export type SpineEntry = { kind: 'row'; row: number } | { kind: 'fold'; first: number; last: number };

const SHOWN_EACH_END = 2;
const FEWEST_FOLDED = 3;

/**
 * Folds the middle of long loops: rows that repeat the row before them, both sides being inside a loop or ended. The
 * current row is never folded away.
 */
export function foldRows(model: PairModel, current: number): SpineEntry[] {
  const entries: SpineEntry[] = [];
  for (let row = 0; row < model.rows.length;) {
    let end = row;
    while (end < model.rows.length && isRepetition(model, end)) end++;
    const first = row + SHOWN_EACH_END;
    const last = end - 1 - SHOWN_EACH_END;
    const foldable = last - first + 1 >= FEWEST_FOLDED && !(current >= first && current <= last);
    if (foldable) {
      for (let shown = row; shown < first; shown++) entries.push({ kind: 'row', row: shown });
      entries.push({ kind: 'fold', first, last });
      row = last + 1;
      for (; row < end; row++) entries.push({ kind: 'row', row });
    } else {
      do entries.push({ kind: 'row', row: row++ });
      while (row < end);
    }
  }
  return entries;
}

function isRepetition({ rows, a, b }: PairModel, index: number): boolean {
  const row = rows[index];
  const before = rows[index - 1];
  if (!row || !before || row.relation !== before.relation) return false;
  return [a, b].every((side) => {
    const turn = row[side.name];
    const loop = turn === null ? undefined : side.played?.marks[turn]?.loop;
    return turn === null || (loop !== null && loop !== undefined && turn > loop.start);
  });
}
