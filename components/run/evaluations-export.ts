import type { EvaluationRow } from '@/contract/api';
import { evaluationMetric, POLICY_TITLES } from '@/contract/evaluation';
import { formatCount, formatDecimals, formatPercent, formatRate, formatReward } from '@/contract/format';
import { wilson } from '@/stats/wilson';
import type { ExportTable } from '@/components/export/table-formats';

/** A run's evaluations with the settings that make their figures readable, in the order given. */
export function exportEvaluations(runId: string, rows: readonly EvaluationRow[]): ExportTable {
  return {
    title: `Evaluations of ${runId}`,
    filters: [
      { name: 'run', value: runId },
      { name: 'interval', value: '95% Wilson' },
    ],
    columns: [
      { title: 'Step', numeric: true },
      { title: 'Policy' },
      { title: 'Split' },
      { title: 'Decoding' },
      { title: 'Success, k/n, % [95%]', numeric: true },
      { title: 'Invalid, % of turns', numeric: true },
      { title: 'Turns', numeric: true },
      { title: 'Reward', numeric: true },
      { title: 'Errors', numeric: true },
    ],
    rows: rows.map(({ evaluation, attempt, current }) => {
      const { step, policy, split, decoding, successes, n, rewardMean, errors, checkpoint, ...rest } =
        evaluation;
      const { low, high } = wilson(successes, n);
      const invalid = evaluationMetric(evaluation, 'invalid_action_rate');
      const turns = evaluationMetric(evaluation, 'turns_mean');
      const orNull = (value: number) => (Number.isFinite(value) ? value : null);
      return {
        cells: [
          String(step),
          current ? POLICY_TITLES[policy] : `${POLICY_TITLES[policy]}, overwritten`,
          split,
          decoding,
          formatRate(successes, n, { low, high }),
          formatPercent(invalid),
          formatDecimals(orNull(turns), 2),
          formatReward(rewardMean),
          formatCount(errors),
        ],
        values: {
          checkpoint_run: checkpoint?.runId ?? runId,
          step,
          policy,
          split,
          decoding,
          attempt,
          overwritten: !current,
          k: successes,
          n,
          rate: orNull(successes / n),
          rate_low: low,
          rate_high: high,
          invalid_action_rate: orNull(invalid),
          turns_mean: orNull(turns),
          reward_mean: rewardMean,
          errored: errors,
          truncated: rest.truncated,
          split_hash: rest.splitHash,
          environment: rest.environment,
          environment_version: rest.environmentVersion,
          environment_options: JSON.stringify(rest.environmentOptions),
          scaffold: rest.scaffold,
          temperature: rest.temperature,
          top_k: rest.topK,
          top_p: rest.topP,
          max_turns: rest.maxTurns,
          max_reply_tokens: rest.maxReplyTokens,
          max_prompt_tokens: rest.maxPromptTokens,
          seed: rest.seed,
        },
      };
    }),
  };
}
