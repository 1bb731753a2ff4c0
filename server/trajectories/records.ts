import { TrajectorySummary } from '@/contract/run-events';
import { Trajectory, type Turn } from '@/contract/trajectory';
import type { TrajectoryRow, TurnRow } from '../database';
import { decodeIntegers, decodeLogprobs } from './token-arrays';

/** Rows of Trajectory and Turn as the contract has them. */

export function toSummary(row: TrajectoryRow): TrajectorySummary {
  return TrajectorySummary.parse({ ...row, ...shared(row) });
}

export function toTrajectory(row: TrajectoryRow & { turns: TurnRow[] }): Trajectory {
  return Trajectory.parse({ ...row, ...shared(row), turns: row.turns.map(toTurn) });
}

function shared({ id, seed, errorStage, errorMessage }: TrajectoryRow) {
  return {
    id: String(id),
    seed: Number(seed),
    error: errorStage === null ? null : { stage: errorStage, message: errorMessage ?? '' },
  };
}

function toTurn({ tokenIds, tokenTexts, tokenLogprobs, trajectoryId: _id, ...columns }: TurnRow): Turn {
  const tokens =
    tokenIds && tokenLogprobs
      ? { ids: decodeIntegers(tokenIds), texts: tokenTexts, logprobs: decodeLogprobs(tokenLogprobs) }
      : null;
  return { ...columns, tokens };
}
