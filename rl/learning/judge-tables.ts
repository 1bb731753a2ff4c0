import type { JudgeTable, OutcomeNoiseRow } from '@/contract/judge-table';
import { outcomeNoise, type JudgedOutcome } from './outcome-noise';
import { meansByQuantile } from './quantile-means';
import { spearman } from './spearman';

/** A scored turn as tables need it. */
export interface TabledTurn extends JudgedOutcome {
  taskType: string;
  replyTokens: number;
}

const QUINTILES = 5;

/** The figures of a window's scored turns: outcome noise in all and by task type, and score by length. */
export function judgeFigures(
  turns: readonly TabledTurn[],
): Pick<JudgeTable, 'rows' | 'lengthCorrelation' | 'quintiles'> {
  const lengths = turns.map(({ replyTokens }) => replyTokens);
  const scores = turns.map(({ judgeScore }) => judgeScore);
  const taskTypes = [...new Set(turns.map(({ taskType }) => taskType))].sort();
  return {
    rows: [
      noiseRow(null, turns),
      ...taskTypes.map((type) =>
        noiseRow(
          type,
          turns.filter(({ taskType }) => taskType === type),
        ),
      ),
    ],
    lengthCorrelation: orNull(spearman(lengths, scores)),
    quintiles: meansByQuantile(lengths, scores, QUINTILES).map(({ n, low, high, mean }) => ({
      n,
      shortest: low,
      longest: high,
      score: mean,
    })),
  };
}

function noiseRow(taskType: string | null, turns: readonly TabledTurn[]): OutcomeNoiseRow {
  const { n, failed, failRate, soundGivenFailed, goodGivenFailed, soundAndFailed } = outcomeNoise(turns);
  return {
    taskType,
    n,
    failed,
    failRate: orNull(failRate),
    soundGivenFailed: orNull(soundGivenFailed),
    goodGivenFailed: orNull(goodGivenFailed),
    soundAndFailed: orNull(soundAndFailed),
  };
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
