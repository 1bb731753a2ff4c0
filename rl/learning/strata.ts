/**
 * StraTA, strategic trajectory abstraction (arXiv 2605.06642): some strategies a task, some trajectories a strategy. The paper's
 * code was not at hand: what its text leaves open is chosen here and says so.
 */
import { AppError } from '@/contract/errors';
import { groupAdvantages, type AdvantageSettings } from './advantages';
import { meanOf } from './moments';

/**
 * Indices of `count` embeddings that lie far apart, in order of choice: after `first`, always the one whose closest chosen
 * neighbour (largest cosine) is the farthest. Embeddings are unit vectors of one length. Ties go to the lowest index, which
 * is our choice, as is leaving `first` to the caller.
 */
export function farthestPoints(
  embeddings: readonly (readonly number[])[],
  count: number,
  first: number,
): number[] {
  if (!Number.isInteger(first) || !embeddings[first])
    throw new AppError(
      'invalid_input',
      `first is ${first}; expected an index of ${embeddings.length} embeddings`,
    );
  if (!Number.isInteger(count) || count < 1 || count > embeddings.length)
    throw new AppError(
      'invalid_input',
      `count is ${count}; expected 1 to ${embeddings.length}, the embeddings`,
    );
  const chosen = [first];
  /** Largest cosine of each embedding to a chosen one. */
  const closeness = embeddings.map(() => -Infinity);
  for (let latest = first; chosen.length < count; chosen.push(latest)) {
    const centre = embeddings[latest] ?? [];
    embeddings.forEach((embedding, i) => {
      closeness[i] = Math.max(closeness[i] ?? NaN, cosine(embedding, centre));
    });
    latest = farthest(closeness, chosen);
  }
  return chosen;
}

function farthest(closeness: readonly number[], chosen: readonly number[]): number {
  const taken = new Set(chosen);
  let best = -1;
  closeness.forEach((value, i) => {
    if (!taken.has(i) && (best < 0 || value < (closeness[best] ?? NaN))) best = i;
  });
  return best;
}

/** Of unit vectors of one length. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0);
}

/** How many of `count` trajectories judge their strategy: ceil(delta count), at least one. The rounding is our choice. */
export function topCount(count: number, delta: number): number {
  if (!(delta >= 0 && delta <= 1)) throw new AppError('invalid_input', `delta is ${delta}; expected 0 to 1`);
  return Math.max(1, Math.ceil(delta * count));
}

/** Reward of a strategy: the mean of the best fraction `delta` of its trajectories' rewards. Throws without trajectories. */
export function strategyReward(rewardsM: readonly number[], delta: number): number {
  if (rewardsM.length === 0)
    throw new AppError('invalid_input', 'a strategy has no trajectories to be judged by');
  const best = [...rewardsM].sort((a, b) => b - a).slice(0, topCount(rewardsM.length, delta));
  return meanOf(best);
}

/** GRPO's normalisation; a group of one keeps its reward. */
const NORMALISED: AdvantageSettings = { scale: 'std', deviation: 'sample', singleton: 'raw' };

export interface StrataAdvantages {
  strategyRewards: number[];
  /** Of each strategy, among the strategies of its task. */
  strategies: number[];
  /** Of each trajectory, among those of its strategy, [strategies][trajectories]. */
  actions: number[][];
}

/** Advantages of one task's strategies and trajectories from the trajectories' rewards, [strategies][trajectories]. */
export function strataAdvantages(rewardsNM: readonly (readonly number[])[], delta: number): StrataAdvantages {
  const strategyRewards = rewardsNM.map((rewardsM) => strategyReward(rewardsM, delta));
  return {
    strategyRewards,
    strategies: groupAdvantages(strategyRewards, NORMALISED),
    actions: rewardsNM.map((rewardsM) => groupAdvantages(rewardsM, NORMALISED)),
  };
}

/**
 * Rewards of a trajectory's turns after critical self-judgment: the trajectory's reward, less `kappa` on the turns (from 0)
 * that the policy itself named as neither following the strategy nor advancing the task. There is no bonus. A turn that
 * does not exist is ignored, since the policy may name any number.
 */
export function selfJudgedRewards(
  reward: number,
  turns: number,
  flaggedTurns: readonly number[],
  kappa: number,
): number[] {
  const flagged = new Set(flaggedTurns);
  return Array.from({ length: turns }, (_, turn) => (flagged.has(turn) ? reward - kappa : reward));
}
