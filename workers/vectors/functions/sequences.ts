import { z } from 'zod';
import { isNegligible } from '@/rl/learning/advantages';
import { conversationRow } from '../formulas/conversation';
import { rowsOf, type RowCall } from '@/rl/learning/rows';
import { sumOf } from '@/rl/learning/moments';
import { labDatum, unweighted } from '../datums';
import { Double, Tokens, Vector } from '../tensors';
import { vectorFunction, type Outputs } from '../vector-function';

const LabTrajectory = z.object({
  steps: z.array(z.object({ prompt_tokens: Tokens, completion_tokens: Tokens, logprobs: Vector })),
  next_prompt_tokens: Tokens.nullish(),
  advantage: Double,
});
type LabTrajectory = z.infer<typeof LabTrajectory>;

function labConversation(
  { steps, next_prompt_tokens, advantage }: LabTrajectory,
  maxTokens: number,
): Outputs {
  const calls = steps.map(({ prompt_tokens, completion_tokens, logprobs }) => ({
    prompt: prompt_tokens,
    reply: completion_tokens,
    logprobs,
  }));
  const row = conversationRow({ calls, unanswered: next_prompt_tokens ?? null }, advantage, { maxTokens });
  const datum = unweighted(row);
  return {
    ...labDatum(datum),
    num_tokens: datum.modelInput.length,
    loss_tokens: row.sampled.filter(Boolean).length,
    step_count: answeredSteps({ steps }),
  };
}

function answeredSteps({ steps }: Pick<LabTrajectory, 'steps'>): number {
  return steps.filter(({ completion_tokens }) => completion_tokens.length > 0).length;
}

const Step = z.object({
  prompt_ids: Tokens.nullish(),
  completion_ids: Tokens.nullish(),
  logprobs: Vector.nullish(),
});

/** rLLM fills missing log-probabilities of a reply up with 0, but leaves a reply without any as it is. */
function rllmCall({ prompt_ids, completion_ids, logprobs }: z.infer<typeof Step>): RowCall {
  const reply = completion_ids ?? [];
  const known = logprobs ?? [];
  const missing = known.length > 0 ? Math.max(0, reply.length - known.length) : 0;
  return { prompt: prompt_ids ?? [], reply, logprobs: [...known, ...new Array<number>(missing).fill(0)] };
}

export const SEQUENCES = [
  // One file holds single trajectories and batches of them.
  vectorFunction(
    'agenticrllab_alfworld_build_trajectory_datum',
    {
      trajectory: LabTrajectory.optional(),
      trajectories: z.array(LabTrajectory).optional(),
      max_sequence_tokens: z.int(),
    },
    ({ trajectory, trajectories = [], max_sequence_tokens }) => {
      if (trajectory) return labConversation(trajectory, max_sequence_tokens);
      const kept = [...trajectories.entries()].filter(
        ([, each]) => answeredSteps(each) > 0 && !isNegligible(each.advantage),
      );
      for (const [, each] of kept) labConversation(each, max_sequence_tokens);
      return {
        kept_group_index: kept.map(([index]) => index),
        logical_steps: sumOf(trajectories.map(answeredSteps)),
      };
    },
  ),

  vectorFunction(
    'tinkercookbook_trajectory_to_data',
    {
      transitions: z.array(
        z.object({
          observation: Tokens,
          action: Tokens,
          logprobs: Vector,
          parse_error_masked: z.boolean().optional(),
        }),
      ),
      advantage: Double,
    },
    ({ transitions, advantage }) => {
      const rows = rowsOf(
        transitions.map(({ observation, action, logprobs }) => ({
          prompt: observation,
          reply: action,
          logprobs,
        })),
        transitions.map(({ parse_error_masked }) => (parse_error_masked ? null : advantage)),
      );
      return {
        datums: rows.map((row) => {
          const datum = unweighted(row);
          return { ...labDatum(datum), mask: datum.lossFnInputs.weights };
        }),
      };
    },
  ),

  vectorFunction(
    'rllm_process_trajectory',
    {
      task_id: z.string(),
      trajectory: z.object({
        name: z.string(),
        uid: z.string(),
        reward: Double.nullish(),
        steps: z.array(Step.nullable()),
      }),
    },
    ({ task_id, trajectory: { name, uid, reward, steps } }) => {
      const rows = rowsOf(
        steps.flatMap((step) => (step?.prompt_ids ? [rllmCall(step)] : [])),
        1,
      );
      return {
        rows_emitted: rows.length,
        rows: rows.map(({ prompt, reply, sampled }) => ({
          prompt,
          response: reply,
          response_mask: sampled.map(Number),
          step_reward: reward ?? 0,
          step_id: uid,
          trajectory_id: `${task_id}_${name}`,
        })),
        rollout_logprobs: rows.map(({ logprobs }) => logprobs).filter((logprobs) => logprobs.length > 0),
      };
    },
  ),
];
