import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { conversationRow } from '../formulas/conversation';
import { klAdvantages, meanReverseKl, reverseKl, type TaughtTokens } from '@/rl/learning/distillation';
import { indicesByGroup } from '@/rl/learning/grouping';
import { sumOf } from '@/rl/learning/moments';
import { labDatum, unweighted } from '../datums';
import { Double, Tokens, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';

const NOTHING: TaughtTokens = { studentLogprobs: [], teacherLogprobs: [], mask: [] };

function scored(logprob: number | null, token: number): number {
  if (logprob === null) throw new AppError('invalid_input', `the teacher scored no token ${token}`);
  return logprob;
}

export const DISTILLATION = [
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
