import { z } from 'zod';
import { boundedBelief, reshapedAdvantages, reshapeTurns, turnEvidences } from '../formulas/agent-opsd';
import { conversationRow } from '../formulas/conversation';
import { indicesByGroup } from '@/rl/learning/grouping';
import { labDatum, unweighted } from '../datums';
import { Double, Ids, Tensor, Tokens, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';

const Config = z
  .object({ gamma: Double, reshape_lambda: Double, weight_bound: Double, epsilon: Double })
  .transform(({ gamma, reshape_lambda, weight_bound, epsilon }) => ({
    discount: gamma,
    reshape: reshape_lambda,
    weightBound: weight_bound,
    epsilon,
  }));

export const AGENT_OPSD = [
  vectorFunction(
    'agenticrllab_agentopsd_reshape_turn_advantages',
    { sequence_advantage: Double, initial_belief: Double, evidences: Vector, config: Config },
    ({ sequence_advantage, initial_belief, evidences, config }) => ({
      sequence_advantage,
      initial_belief: boundedBelief(initial_belief, config.epsilon),
      turns: reshapeTurns(sequence_advantage, initial_belief, evidences, config).map((turn, index) => ({
        turn_index: index + 1,
        evidence: turn.evidence,
        cumulative_evidence: turn.cumulativeEvidence,
        belief_before: turn.beliefBefore,
        belief_after: turn.beliefAfter,
        delta_belief: turn.beliefAfter - turn.beliefBefore,
        outcome_credit: turn.credit,
        normalized_credit: turn.normalisedCredit,
        weight: turn.weight,
        advantage: turn.advantage,
      })),
    }),
  ),

  vectorFunction(
    'agenticrllab_agentopsd_assign_advantages',
    { group_ids: Ids, rewards: Vector, turn_evidences: Tensor, config: Config },
    ({ group_ids, rewards, turn_evidences, config }) => {
      const reshaped = reshapedAdvantages(
        { rewards, groupIds: group_ids, turnEvidences: turn_evidences },
        config,
      );
      const groups = [...indicesByGroup(group_ids).values()];
      const isFlat = (index: number) => Math.abs(reshaped[index]?.advantage ?? NaN) <= config.epsilon;
      return {
        sequence_advantages: reshaped.map(({ advantage }) => advantage),
        initial_beliefs: reshaped.map(({ belief }) => belief),
        turn_advantages: reshaped.map(({ turns }) => turns.map(({ advantage }) => advantage)),
        groups: groups.length,
        degenerate_groups: groups.filter((members) => members.every(isFlat)).length,
      };
    },
  ),

  vectorFunction(
    'agenticrllab_agentopsd_score_turns_and_datum',
    {
      full_student_tokens: Tokens,
      student_initial_length: z.int(),
      teacher_initial_length: z.int(),
      teacher_logprobs: z.array(Double.nullable()),
      turns: z.array(
        z.object({ action_start: z.int(), action_end: z.int(), logprobs: Vector, advantage: Double }),
      ),
    },
    ({ full_student_tokens: tokens, turns, teacher_logprobs, ...lengths }) => {
      const scored = turns.map(({ action_start, action_end, logprobs }) => ({
        start: action_start,
        end: action_end,
        logprobs,
      }));
      const offset = lengths.teacher_initial_length - lengths.student_initial_length;
      const calls = scored.map(({ start, end, logprobs }) => ({
        prompt: tokens.slice(0, start),
        reply: tokens.slice(start, end),
        logprobs,
      }));
      const row = conversationRow(
        { calls, unanswered: tokens },
        turns.map(({ advantage }) => advantage),
        { maxTokens: Infinity },
      );
      return {
        turn_evidences: turnEvidences(scored, teacher_logprobs, offset),
        action_tokens: row.sampled.filter(Boolean).length,
        datum: labDatum(unweighted(row)),
      };
    },
  ),
];
