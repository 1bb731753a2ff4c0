import { z } from 'zod';
import type { Datum } from '@/contract/engine';
import { isNegligible } from '@/rl/learning/advantages';
import { conversationRow } from '@/rl/learning/conversation';
import { klAdvantages, meanReverseKl, reverseKl, type TaughtTokens } from '@/rl/learning/distillation';
import { indicesByGroup } from '@/rl/learning/grouping';
import { rowsOf, rowToDatum, type Row, type RowCall } from '@/rl/learning/rows';
import { Double, sumOf, Tokens, Vector } from '../tensors';
import { vectorFunction, type Outputs } from '../vector-function';
import { AppError } from '@/contract/errors';

/** A row with every sampled token at full weight, which then is the mask. */
export function unweighted(row: Row): Datum {
  return rowToDatum(row, row.sampled.map(Number));
}

export function labDatum({ modelInput, lossFnInputs }: Datum): Outputs {
  return {
    input_tokens: modelInput,
    target_tokens: lossFnInputs.targetTokens,
    logprobs: lossFnInputs.logprobs,
    advantages: lossFnInputs.advantages,
  };
}

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
        steps: z.array(Step),
      }),
    },
    ({ task_id, trajectory: { name, uid, reward, steps } }) => {
      const rows = rowsOf(steps.filter(({ prompt_ids }) => prompt_ids).map(rllmCall), 1);
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

  vectorFunction(
    'agenticrllab_opd_run_prompt_rollout',
    {
      prompt_tokens: Tokens,
      completions: z.array(
        z.object({
          tokens: Tokens,
          student_logprobs: Vector,
          teacher_logprobs_of_prompt_and_completion: z.array(Double.nullable()),
        }),
      ),
      kl_penalty_coef: Double,
    },
    ({ prompt_tokens, completions, kl_penalty_coef }) => {
      const sampled = completions.filter(({ tokens }) => tokens.length > 0);
      const taught = sampled.map((completion): TaughtTokens => ({
        studentLogprobs: completion.student_logprobs,
        teacherLogprobs: completion.teacher_logprobs_of_prompt_and_completion
          .slice(prompt_tokens.length)
          .map(scored),
        mask: completion.tokens.map(() => 1),
      }));
      const rows = sampled.map(({ tokens, student_logprobs }, i) =>
        conversationRow(
          { calls: [{ prompt: prompt_tokens, reply: tokens, logprobs: student_logprobs }], unanswered: null },
          [klAdvantages(taught[i] ?? NOTHING, { coefficient: kl_penalty_coef, discount: 0 })],
          { maxTokens: Infinity },
        ),
      );
      return {
        datums: rows.map(unweighted).map((datum) => ({
          ...labDatum(datum),
          // The source writes 0 for targets that bear no loss.
          target_tokens: datum.lossFnInputs.targetTokens.map((id, t) =>
            datum.lossFnInputs.weights?.[t] ? id : 0,
          ),
        })),
        reverse_kls: taught.flatMap(reverseKl),
        completion_token_counts: sampled.map(({ tokens }) => tokens.length),
      };
    },
  ),

  vectorFunction(
    'tinkercookbook_incorporate_kl_penalty',
    {
      datums: z.array(
        z.object({
          logprobs: Vector,
          advantages: Vector,
          mask: Vector,
          teacher_logprobs: z.array(Double.nullable()),
        }),
      ),
      dataset_indices: z.array(z.int()),
      kl_penalty_coef: Double,
      kl_discount_factor: Double,
    },
    ({ datums, dataset_indices, kl_penalty_coef: coefficient, kl_discount_factor: discount }) => {
      const batch = datums.map(({ logprobs, mask, teacher_logprobs }): TaughtTokens => ({
        studentLogprobs: logprobs,
        // The first is of a token that nothing predicts.
        teacherLogprobs: teacher_logprobs.slice(1).map(scored),
        mask,
      }));
      const byDataset = [...indicesByGroup(dataset_indices)]
        .map(([dataset, members]) => [dataset, members.map((index) => batch[index] ?? NOTHING)] as const)
        .filter(([, members]) => members.some(({ mask }) => sumOf(mask) > 0));
      return {
        advantages: datums.map(({ advantages }, i) => {
          const fromKl = klAdvantages(batch[i] ?? NOTHING, { coefficient, discount });
          return advantages.map((advantage, t) => advantage + (fromKl[t] ?? NaN));
        }),
        metrics: {
          teacher_kl: meanReverseKl(batch),
          ...Object.fromEntries(
            byDataset.map(([dataset, members]) => [`teacher_kl/dataset_${dataset}`, meanReverseKl(members)]),
          ),
        },
      };
    },
  ),
];

const NOTHING: TaughtTokens = { studentLogprobs: [], teacherLogprobs: [], mask: [] };

function scored(logprob: number | null, token: number): number {
  if (logprob === null) throw new AppError('invalid_input', `the teacher scored no token ${token}`);
  return logprob;
}
