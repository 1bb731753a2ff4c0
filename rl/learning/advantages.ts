import { AppError } from '@/contract/errors';
import { indicesByGroup } from './grouping';
import { meanOf, standardDeviation, type Deviation } from './moments';

export { meanOf } from './moments';

/** How a group's rewards become advantages. */
export interface AdvantageSettings {
  /** `none`: R - mean. `std`: (R - mean) / (s + epsilon). */
  scale: 'none' | 'std';
  /**
   * The divisor under s: `sample` n - 1 (default; verl, AgentGym-RL, verl-agent, agentic-rl-lab), `population` n (rLLM,
   * AgentOPSD).
   */
  deviation?: Deviation;
  /** Added to s, default 1e-6. */
  epsilon?: number;
  /**
   * A group of one has no baseline. `raw`: its mean counts as 0 and its s as 1, so that it keeps its reward (verl,
   * AgentGym-RL, verl-agent, rLLM). `zero`: it is its own mean (agentic-rl-lab, tinker-cookbook, AgentOPSD). Default: `raw` with
   * scale `std`, `zero` with `none`.
   */
  singleton?: 'raw' | 'zero';
}

const STD_EPSILON = 1e-6;
const NEGLIGIBLE = 1e-12;

/**
 * Advantages of one group, shape of `rewardsG`. Sources: `compute_grpo_outcome_advantage` of verl and AgentGym-RL (`std`),
 * verl with `norm_adv_by_std_in_grpo` off (`none`, `raw`), agentic-rl-lab's `assign_advantages` (`none`).
 */
export function groupAdvantages(rewardsG: readonly number[], settings: AdvantageSettings): number[] {
  return rewardsG.map(normaliserOf(rewardsG, settings));
}

/** Rewards of a batch's rows with the group of each, length of the batch. */
export interface GroupedRewards {
  rewards: readonly number[];
  groupIds: readonly (string | number)[];
  /**
   * Trajectory of each row, where several rows have one reward and a trajectory shall count once: mean and s are then over
   * the first row of each trajectory of a group, and still apply to all its rows (verl-agent's
   * `compute_mean_std_cross_steps` off). Left out: over rows, so that long trajectories weigh more.
   */
  trajectoryIds?: readonly (string | number)[];
}

/** Advantages of a batch's rows, each within its group. Throws where the lists differ in length. */
export function advantagesByGroup(batch: GroupedRewards, settings: AdvantageSettings): number[] {
  const { rewards, groupIds, trajectoryIds } = batch;
  for (const [name, list] of Object.entries({ groupIds, trajectoryIds }))
    if (list && list.length !== rewards.length)
      throw new AppError('invalid_input', `${name} has ${list.length} entries for ${rewards.length} rewards`);
  const advantages = new Array<number>(rewards.length);
  for (const rows of indicesByGroup(groupIds).values()) {
    const counted = trajectoryIds ? firstOfEach(rows, trajectoryIds) : rows;
    const normalise = normaliserOf(
      counted.map((row) => rewards[row] ?? NaN),
      settings,
    );
    for (const row of rows) advantages[row] = normalise(rewards[row] ?? NaN);
  }
  return advantages;
}

/** The first row of each trajectory. */
function firstOfEach(rows: readonly number[], trajectoryIds: readonly (string | number)[]): number[] {
  const byTrajectory = indicesByGroup(rows.map((row) => trajectoryIds[row]));
  return [...byTrajectory.values()].map(([first = 0]) => rows[first] ?? 0);
}

function normaliserOf(
  rewards: readonly number[],
  { scale, deviation = 'sample', epsilon = STD_EPSILON, singleton }: AdvantageSettings,
): (reward: number) => number {
  const isSingle = rewards.length === 1;
  const keepsReward = (singleton ?? (scale === 'std' ? 'raw' : 'zero')) === 'raw';
  const mean = isSingle && keepsReward ? 0 : meanOf(rewards);
  if (scale === 'none') return (reward) => reward - mean;
  const divisor = (isSingle ? 1 : standardDeviation(rewards, deviation)) + epsilon;
  return (reward) => (reward - mean) / divisor;
}

/**
 * RLOO: the reward less the mean of the others, n / (n - 1) (R - mean). A group of one keeps its reward. Source: rLLM
 * `calculate_rloo_advantages_per_group`.
 */
export function leaveOneOutAdvantages(rewardsG: readonly number[]): number[] {
  const count = rewardsG.length;
  if (count <= 1) return [...rewardsG];
  const mean = meanOf(rewardsG);
  return rewardsG.map((reward) => (count / (count - 1)) * (reward - mean));
}

/** Every reward of the group is the same up to rounding, so it teaches nothing. */
export function isDegenerate(rewardsG: readonly number[]): boolean {
  const mean = meanOf(rewardsG);
  return rewardsG.every((reward) => isNegligible(reward - mean));
}

/** So close to 0 that a row with this advantage is left out. Source: agentic-rl-lab `08-alfworld`, at most 1e-12. */
export function isNegligible(advantage: number): boolean {
  return Math.abs(advantage) <= NEGLIGIBLE;
}
