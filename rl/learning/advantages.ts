/** How a group's rewards become advantages. */
export interface AdvantageSettings {
  /** `none`: R - mean. `std`: (R - mean) / (s + 1e-6), s the sample standard deviation (n - 1). */
  scale: 'none' | 'std';
}

const STD_EPSILON = 1e-6;
const DEGENERATE_TOLERANCE = 1e-12;

/**
 * Advantages of one group, shape of `rewardsG`. Sources: AgentGym-RL `compute_grpo_outcome_advantage` (`std`)
 * and agentic-rl-lab `assign_advantages` (`none`). A group of one has no baseline: its advantage is 0 without
 * scale, and its raw reward with `std`, as the sources have it.
 */
export function groupAdvantages(rewardsG: readonly number[], { scale }: AdvantageSettings): number[] {
  if (rewardsG.length === 1 && scale === 'std') return rewardsG.map((reward) => reward / (1 + STD_EPSILON));
  const mean = meanOf(rewardsG);
  if (scale === 'none') return rewardsG.map((reward) => reward - mean);
  const variance = rewardsG.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (rewardsG.length - 1);
  return rewardsG.map((reward) => (reward - mean) / (Math.sqrt(variance) + STD_EPSILON));
}

/** Every reward of the group is the same, so it teaches nothing. */
export function isDegenerate(rewardsG: readonly number[]): boolean {
  const mean = meanOf(rewardsG);
  return rewardsG.every((reward) => Math.abs(reward - mean) <= DEGENERATE_TOLERANCE);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
