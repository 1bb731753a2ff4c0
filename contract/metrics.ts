import { tokenSeries, type TokenPhase } from './cost';

/** What a series means: its title on screen, its unit and what one value is an average over. */
export interface Metric {
  name: string;
  title: string;
  unit:
    | 'fraction'
    | 'nats'
    | 'seconds'
    | 'tokens'
    | 'turns'
    | 'count'
    | 'reward'
    | 'rate'
    | 'ratio'
    /** The currency of the run's prices. */
    | 'currency';
  description: string;
}

/** One metric, for the lists. */
export const metric = (name: string, title: string, unit: Metric['unit'], description: string): Metric => ({
  name,
  title,
  unit,
  description,
});

/** Metrics of training, in the order screens list them. Names follow the field's use. */
export const METRICS: readonly Metric[] = [
  metric('reward/mean', 'Reward', 'reward', 'Shaped reward, mean over the step’s trajectories'),
  metric(
    'reward/environment_mean',
    'Environment reward',
    'reward',
    'Reward without shaping, mean over trajectories',
  ),
  metric(
    'rollout/success_rate',
    'Training success',
    'fraction',
    'Won trajectories over trajectories, at temperature',
  ),
  metric(
    'rollout/invalid_action_rate',
    'Invalid actions',
    'fraction',
    'Turns whose action the environment refused, over turns',
  ),
  metric(
    'rollout/invalid_actions_mean',
    'Invalid actions a trajectory',
    'count',
    'Refused actions, mean over trajectories',
  ),
  metric(
    'rollout/format_rate',
    'Format',
    'fraction',
    'Turns whose reply keeps the scaffold’s format, over turns',
  ),
  metric(
    'rollout/admissible_rate',
    'Admissible',
    'fraction',
    'Turns whose action is in the available list, over turns',
  ),
  metric('rollout/turns_mean', 'Turns', 'turns', 'Turns, mean over trajectories'),
  metric('rollout/reply_tokens_mean', 'Reply length', 'tokens', 'Reply tokens, mean over turns'),
  metric(
    'rollout/error_rate',
    'Errors',
    'fraction',
    'Trajectories that ended in an error, over trajectories',
  ),
  metric(
    'actor/entropy',
    'Entropy',
    'nats',
    'Entropy of the next-token distribution, mean over trained reply tokens',
  ),
  metric(
    'actor/sampler_logprob',
    'Sampler’s log-probability',
    'nats',
    'Log-probability that the sampler gave what it sampled, mean over trained reply tokens',
  ),
  metric(
    'actor/ppo_kl',
    'KL to the sampler',
    'nats',
    'k3 of sampled tokens, mean over trained reply tokens, last update',
  ),
  metric(
    'actor/clip_fraction',
    'Clip fraction',
    'fraction',
    'Trained reply tokens whose ratio is outside the clip, last update',
  ),
  metric(
    'actor/grad_norm',
    'Gradient norm',
    'ratio',
    'Global L2 norm before clipping, mean over the step’s updates',
  ),
  metric('actor/learning_rate', 'Learning rate', 'rate', 'Rate of the step’s updates'),
  metric('actor/loss', 'Loss', 'ratio', 'Policy loss, mean over the step’s updates'),
  metric('actor/updates', 'Updates', 'count', 'Optimizer updates since the start'),
  metric(
    'advantage/degenerate_group_rate',
    'Degenerate groups',
    'fraction',
    'Groups whose rewards are all equal, over groups sampled',
  ),
  metric('advantage/absolute_mean', 'Advantage size', 'reward', 'Absolute advantage, mean over trajectories'),
  metric('time/rollout', 'Rollout time', 'seconds', 'Playing the step’s episodes'),
  metric('time/train', 'Training time', 'seconds', 'Forward, backward and optimizer of the step'),
  metric('time/evaluation', 'Evaluation time', 'seconds', 'Evaluations and probes after the step'),
  metric(
    'time/environment',
    'Environment time',
    'seconds',
    'Environment, prompts and parsing within the rollout',
  ),
  metric('time/prefill', 'Prefill time', 'seconds', 'Engine time on prompts, summed over children'),
  metric('time/decode', 'Decode time', 'seconds', 'Engine time on replies, summed over children'),
  metric('tokens/prompt', 'Prompt tokens', 'tokens', 'Prompt tokens of the step’s turns'),
  metric(
    'tokens/prefilled',
    'Prefilled tokens',
    'tokens',
    'Prompt tokens of the rollout computed, with those scored by the base for a KL term',
  ),
  metric(
    'tokens/reused',
    'Reused tokens',
    'tokens',
    'Prompt tokens not computed, since an equal prompt or prefix was',
  ),
  metric('tokens/sampled', 'Sampled tokens', 'tokens', 'Reply tokens sampled in the rollout'),
  metric(
    'tokens/trained',
    'Trained tokens',
    'tokens',
    'Tokens that entered the training graph, after merging',
  ),
];

function tokenMetrics(phase: TokenPhase, title: string, where: string): Metric[] {
  return [
    metric(
      tokenSeries(phase, 'prefilled'),
      `${title}, prefilled tokens`,
      'tokens',
      `Prompt tokens of ${where} computed`,
    ),
    metric(
      tokenSeries(phase, 'reused'),
      `${title}, reused tokens`,
      'tokens',
      `Prompt tokens of ${where} not computed`,
    ),
    metric(
      tokenSeries(phase, 'sampled'),
      `${title}, sampled tokens`,
      'tokens',
      `Reply tokens of ${where} sampled`,
    ),
  ];
}

/** What not every run of a recipe has: evaluations, probes, prices, a language model as judge, a policy’s judgment of itself. */
export const OCCASIONAL_METRICS: readonly Metric[] = [
  ...tokenMetrics('evaluation', 'Evaluation', 'the step’s evaluations and masked control'),
  ...tokenMetrics('probe', 'Probe', 'the step’s probe'),
  metric('cost/total', 'Cost', 'currency', 'Rollout and update of the step, at the run’s prices'),
  metric('cost/prefill', 'Cost of prefill', 'currency', 'Prefilled tokens of the step at their price'),
  metric('cost/reused', 'Cost of reuse', 'currency', 'Reused tokens of the step at their price'),
  metric('cost/sample', 'Cost of sampling', 'currency', 'Sampled tokens of the step at their price'),
  metric('cost/train', 'Cost of training', 'currency', 'Trained tokens of the step at their price'),
  metric(
    'cost/reuse_saved',
    'Saved by reuse',
    'currency',
    'What the reused tokens would have cost as prefilled ones, less what they did cost',
  ),
  metric('cost/evaluation', 'Cost of evaluation', 'currency', 'Evaluations after the step'),
  metric('cost/probe', 'Cost of the probe', 'currency', 'Probe after the step'),
  metric(
    'judge/unreadable_rate',
    'Unreadable answers',
    'fraction',
    'Answers of the language model without a score, over its answers',
  ),
  metric(
    'tokens/judge/prefilled',
    'Judge, prefilled tokens',
    'tokens',
    'Prompt tokens the endpoint computed',
  ),
  metric('tokens/judge/reused', 'Judge, reused tokens', 'tokens', 'Prompt tokens it took from its cache'),
  metric('tokens/judge/sampled', 'Judge, sampled tokens', 'tokens', 'Reply tokens of the endpoint'),
  metric('cost/judge', 'Cost of the judge', 'currency', 'Tokens of the endpoint at its prices'),
  metric(
    'tokens/teacher/prefilled',
    'Teacher, prefilled tokens',
    'tokens',
    'Tokens that the teacher scored, and prompts that it went on with',
  ),
  metric('tokens/teacher/reused', 'Teacher, reused tokens', 'tokens', 'Prompt tokens it took from its cache'),
  metric('tokens/teacher/sampled', 'Teacher, sampled tokens', 'tokens', 'Tokens that the teacher wrote'),
  metric('cost/teacher', 'Cost of the teacher', 'currency', 'Tokens of the teacher at its prices'),
  metric(
    'strata/judged_rate',
    'Judged trajectories',
    'fraction',
    'Trajectories whose own judgment was asked for and could be read, over trajectories',
  ),
  metric(
    'strata/flagged_turn_rate',
    'Flagged turns',
    'fraction',
    'Turns that the policy named as astray, over turns of judged trajectories',
  ),
];
