import { TrajectorySummary } from '@/contract/run-events';
import { Trajectory, type Turn } from '@/contract/trajectory';
import type { TrajectoryRow, TurnRow } from '../database';
import { decodeIntegers, decodeLogprobs } from './token-arrays';

/** Rows of Trajectory and Turn as the contract has them. */

/** Columns of any length that no summary has: a list does not read them. */
export const NOT_SUMMED_UP = { strategy: true, finalPicture: true, finalObservation: true } as const;

/** A row without them; whole numbers of 64 bits as Prisma or as pg itself reads them. */
export interface SummaryRow extends Omit<TrajectoryRow, keyof typeof NOT_SUMMED_UP | 'id' | 'seq' | 'seed'> {
  id: bigint | string;
  seed: bigint | string | null;
}

export function toSummary(row: SummaryRow): TrajectorySummary {
  return TrajectorySummary.parse({ ...row, ...shared(row) });
}

export function toTrajectory(row: TrajectoryRow & { turns: TurnRow[] }): Trajectory {
  return Trajectory.parse({ ...row, ...shared(row), turns: row.turns.map(toTurn) });
}

function shared({
  id,
  seed,
  errorStage,
  errorMessage,
}: Pick<SummaryRow, 'id' | 'seed' | 'errorStage' | 'errorMessage'>) {
  return {
    id: String(id),
    seed: seed === null ? null : Number(seed),
    error: errorStage === null ? null : { stage: errorStage, message: errorMessage ?? '' },
  };
}

export function toTurn({
  tokenIds,
  tokenTexts,
  tokenLogprobs,
  tokenEntropies,
  tokenTeacherLogprobs,
  trajectoryId: _id,
  ...columns
}: TurnRow): Turn {
  const tokens =
    tokenIds && tokenLogprobs
      ? {
          ids: decodeIntegers(tokenIds),
          texts: tokenTexts,
          logprobs: decodeLogprobs(tokenLogprobs),
          ...(tokenEntropies && { entropies: decodeLogprobs(tokenEntropies) }),
          ...(tokenTeacherLogprobs && { teacherLogprobs: decodeLogprobs(tokenTeacherLogprobs) }),
        }
      : null;
  return { ...columns, tokens };
}
