import type { RescoredTrajectories, RewardFigures, RewardFormula } from '@/contract/rewards';
import { scoresOf, type Scorable } from '@/contract/trajectory-score';
import type { Trajectory } from '@/contract/trajectory';

/** Rewards this close are the same, as in training. */
const NEGLIGIBLE = 1e-12;

/** A stored trajectory with what its reward is made of. */
export interface StoredReward extends Pick<Trajectory, 'reward' | 'success' | 'stopReason'> {
  turns: Scorable['turns'];
  group: number | null;
  /** The reward that was recorded; null where the recipe gave none. */
  shapedReward: number | null;
}

/**
 * A trajectory's reward under a formula: the mean of its scores; null for one that ended in an error, has no turn to score, or
 * does not state what the formula needs.
 */
export function rewardUnder(trajectory: StoredReward, formula: RewardFormula): number | null {
  if (trajectory.stopReason === 'error' || !isStated(trajectory, formula)) return null;
  const { over, ...settings } = formula;
  // What the formula does not need may be missing, and has no weight in it.
  const { reward, success, turns } = trajectory;
  return meanOf(scoresOf({ reward: reward ?? 0, success: success ?? false, turns }, settings, over));
}

function isStated({ reward, success }: StoredReward, { outcome }: RewardFormula): boolean {
  return (outcome === 'environment' ? reward : success) !== null;
}

/** What trajectories of one step come to under their own formula and under another. */
export function rescore(trajectories: readonly StoredReward[], formula: RewardFormula): RescoredTrajectories {
  const sound = trajectories.filter(({ stopReason }) => stopReason !== 'error');
  return {
    n: sound.length,
    errors: trajectories.length - sound.length,
    unscored: sound.filter((trajectory) => !isStated(trajectory, formula)).length,
    old: figuresOf(sound, ({ shapedReward }) => shapedReward),
    new: figuresOf(sound, (trajectory) => rewardUnder(trajectory, formula)),
  };
}

/** The same over several steps. */
export function totalOf(steps: readonly RescoredTrajectories[]): RescoredTrajectories {
  const sum = (count: (step: RescoredTrajectories) => number) =>
    steps.reduce((total, step) => total + count(step), 0);
  const figures = (of: (step: RescoredTrajectories) => RewardFigures): RewardFigures => {
    const n = sum((step) => of(step).n);
    const total = sum((step) => (of(step).mean ?? 0) * of(step).n);
    return {
      n,
      mean: n === 0 ? null : total / n,
      groups: sum((step) => of(step).groups),
      degenerateGroups: sum((step) => of(step).degenerateGroups),
    };
  };
  return {
    n: sum(({ n }) => n),
    errors: sum(({ errors }) => errors),
    unscored: sum(({ unscored }) => unscored),
    old: figures((step) => step.old),
    new: figures((step) => step.new),
  };
}

function figuresOf(
  trajectories: readonly StoredReward[],
  rewardOf: (trajectory: StoredReward) => number | null,
): RewardFigures {
  const groups = new Map<number, number[]>();
  const rewards: number[] = [];
  for (const trajectory of trajectories) {
    const reward = rewardOf(trajectory);
    if (reward === null) continue;
    rewards.push(reward);
    if (trajectory.group === null) continue;
    groups.set(trajectory.group, [...(groups.get(trajectory.group) ?? []), reward]);
  }
  const compared = [...groups.values()].filter(({ length }) => length > 1);
  const degenerate = compared.filter((group) => Math.max(...group) - Math.min(...group) <= NEGLIGIBLE);
  return {
    n: rewards.length,
    mean: meanOf(rewards),
    groups: compared.length,
    degenerateGroups: degenerate.length,
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
