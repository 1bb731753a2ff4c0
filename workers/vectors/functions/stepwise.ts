import { z } from 'zod';
import { AppError } from '@/contract/errors';
import {
  lastTurnAdvantages,
  perTurnAdvantages,
  turnGroupId,
  type SteppedTrajectory,
} from '@/rl/learning/stepwise';
import { broadcast, Double } from '../tensors';
import { vectorFunction, type Outputs } from '../vector-function';
import { scaleOf } from './group-advantages';

const Episode = z.object({
  task_id: z.string(),
  episode_id: z.string(),
  trajectories: z.array(
    z.object({
      name: z.string(),
      reward: Double,
      steps: z.array(z.object({ reward: Double, response_len: z.int().min(0) })),
    }),
  ),
});

const BATCH = {
  episodes: z.array(Episode),
  norm_adv_by_std_in_grpo: z.boolean(),
  max_response_length: z.int().min(1),
};

/** One row: a turn of a trajectory. */
interface Turn {
  trajectory: number;
  turn: number;
  episodeId: string;
  length: number;
  stepReward: number;
  trajectoryReward: number;
}

/** A reward stands on the last token of its reply, so that an empty reply has none. */
function rowsOf(episodes: readonly z.infer<typeof Episode>[], maxLength: number) {
  const turns: Turn[] = [];
  const trajectories: SteppedTrajectory[] = [];
  for (const { task_id, episode_id, trajectories: played } of episodes)
    for (const { name, reward, steps } of played.filter(({ steps }) => steps.length > 0)) {
      const own = steps.map(({ reward: stepReward, response_len }, turn): Turn => ({
        trajectory: trajectories.length,
        turn,
        episodeId: episode_id,
        length: Math.min(response_len, maxLength),
        stepReward: response_len > 0 ? stepReward : 0,
        trajectoryReward: response_len > 0 ? reward : 0,
      }));
      turns.push(...own);
      trajectories.push({
        taskId: task_id,
        name,
        reward: own.at(-1)?.trajectoryReward ?? 0,
        turnRewards: own.map(({ stepReward }) => stepReward),
      });
    }
  return { turns, trajectories };
}

function rowOutputs(
  turns: readonly Turn[],
  trajectories: readonly SteppedTrajectory[],
  maxLength: number,
): Outputs & { response_mask: number[][] } {
  const of = ({ trajectory }: Turn) => trajectories[trajectory] ?? NO_TRAJECTORY;
  const columns = Array.from({ length: maxLength }, (_, t) => t);
  const atLast = (reward: (turn: Turn) => number) =>
    turns.map((turn) => columns.map((t) => (t === turn.length - 1 ? reward(turn) : 0)));
  return {
    step_ids: turns.map((turn) => turnGroupId(of(turn), turn.turn)),
    trajectory_ids: turns.map((turn) => `${of(turn).taskId}_${of(turn).name}`),
    episode_ids: turns.map(({ episodeId }) => episodeId),
    step_nums: turns.map((turn) => of(turn).turnRewards.length),
    is_last_step: turns.map((turn) => turn.turn === of(turn).turnRewards.length - 1),
    response_mask: turns.map(({ length }) => columns.map((t) => Number(t < length))),
    step_rewards: atLast(({ stepReward }) => stepReward),
    traj_rewards: atLast(({ trajectoryReward }) => trajectoryReward),
  };
}

const NO_TRAJECTORY: SteppedTrajectory = { taskId: '', name: '', reward: NaN, turnRewards: [] };

export const STEPWISE = [
  vectorFunction(
    'rllm_per_step_advantages',
    BATCH,
    ({ episodes, norm_adv_by_std_in_grpo, max_response_length }) => {
      const { turns, trajectories } = rowsOf(episodes, max_response_length);
      const rows = rowOutputs(turns, trajectories, max_response_length);
      const advantages = perTurnAdvantages(trajectories, scaleOf(norm_adv_by_std_in_grpo)).flat();
      return { rows, advantages: broadcast(advantages, rows.response_mask) };
    },
  ),

  vectorFunction(
    'rllm_broadcast_advantages',
    { ...BATCH, normalize_by_steps: z.boolean() },
    ({ episodes, normalize_by_steps, norm_adv_by_std_in_grpo, max_response_length }) => {
      const { turns, trajectories } = rowsOf(episodes, max_response_length);
      // The source stacks the turns before the last, and fails where no trajectory has any.
      if (trajectories.every(({ turnRewards }) => turnRewards.length === 1))
        throw new AppError(
          'invalid_input',
          'every trajectory has one turn; there is nothing to broadcast to',
        );
      const rows = rowOutputs(turns, trajectories, max_response_length);
      const advantages = lastTurnAdvantages(trajectories, {
        scale: scaleOf(norm_adv_by_std_in_grpo),
        divideByTurns: normalize_by_steps,
      });
      return {
        rows,
        advantages: broadcast(
          turns.map(({ trajectory }) => advantages[trajectory] ?? NaN),
          rows.response_mask,
        ),
      };
    },
  ),
];
