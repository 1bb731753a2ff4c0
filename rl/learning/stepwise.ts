/**
 * Advantages where each turn is its own sample, grouped over the rollouts of a task: rLLM's two modes (tag v0.2.1,
 * `agent_workflow_trainer.py`), of which StraTA uses `per_step`.
 */
import { advantagesByGroup, type AdvantageSettings } from './advantages';

/** A rollout's trajectory. Rollouts of one task whose trajectories have one name are compared. */
export interface SteppedTrajectory {
  taskId: string;
  name: string;
  reward: number;
  /** Reward of each turn. */
  turnRewards: readonly number[];
}

/** The group of a trajectory's turn: the same turn number of the same name and task. */
export function turnGroupId({ taskId, name }: SteppedTrajectory, turn: number): string {
  return `${taskId}_${name}_step${turn}`;
}

/**
 * `per_step`: each turn's reward against that of the same turn of the other rollouts, [trajectories][turns]. Groups shrink
 * as rollouts end; a turn that only one reached keeps its reward (see `groupSizeHistogram`).
 */
export function perTurnAdvantages(
  trajectories: readonly SteppedTrajectory[],
  scale: AdvantageSettings['scale'],
): number[][] {
  const turns = trajectories.flatMap((trajectory, index) =>
    trajectory.turnRewards.map((reward, turn) => ({ index, reward, groupId: turnGroupId(trajectory, turn) })),
  );
  const advantages = advantagesByGroup(
    { rewards: turns.map(({ reward }) => reward), groupIds: turns.map(({ groupId }) => groupId) },
    { scale, singleton: 'raw' },
  );
  const byTrajectory = trajectories.map((): number[] => []);
  turns.forEach(({ index }, i) => byTrajectory[index]?.push(advantages[i] ?? NaN));
  return byTrajectory;
}

/**
 * `broadcast`: one advantage a trajectory, for all its turns. The group is that of its last turn, so that rollouts are
 * compared only with those of as many turns, and a length that occurs once keeps its reward.
 */
export function lastTurnAdvantages(
  trajectories: readonly SteppedTrajectory[],
  { scale, divideByTurns }: { scale: AdvantageSettings['scale']; divideByTurns: boolean },
): number[] {
  const advantages = advantagesByGroup(
    {
      rewards: trajectories.map(({ reward }) => reward),
      groupIds: trajectories.map((trajectory) => turnGroupId(trajectory, trajectory.turnRewards.length - 1)),
    },
    { scale, singleton: 'raw' },
  );
  if (!divideByTurns) return advantages;
  return advantages.map((advantage, i) => advantage / (trajectories[i]?.turnRewards.length ?? NaN));
}
