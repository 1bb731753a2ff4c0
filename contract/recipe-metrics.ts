import { metric, METRICS, OCCASIONAL_METRICS, type Metric } from './metrics';
import type { RecipeId } from './recipes/registry';

/** Metrics that single recipes give beside those of every training, in the order screens list them. */
export const RECIPE_METRICS: Readonly<Record<RecipeId, readonly Metric[]>> = {
  grpo: [metric('rollout/max_turns', 'Turn cap', 'turns', 'Turns after which the step’s episodes ended')],
  dapo: [
    metric('dapo/batches', 'Batches sampled', 'count', 'Times the step sampled until enough groups taught'),
    metric('dapo/sampled_groups', 'Groups sampled', 'count', 'Groups of all the step’s batches'),
    metric(
      'dapo/kept_group_rate',
      'Groups that teach',
      'fraction',
      'Groups whose rewards differ, over groups sampled',
    ),
  ],
  gigpo: [
    metric(
      'gigpo/state_turns_mean',
      'Turns of a state',
      'turns',
      'Turns of a group before the same observation',
    ),
    metric(
      'gigpo/lone_turn_rate',
      'Lone turns',
      'fraction',
      'Turns whose observation no other turn of the group had, over turns',
    ),
  ],
  regroup: [
    metric('regroup/turn_mean', 'Fork turn', 'turns', 'Turns given to a group, mean over groups'),
    metric(
      'regroup/continued_success_rate',
      'Continued success',
      'fraction',
      'Won continuations over continuations, at temperature',
    ),
  ],
  'alfworld-lab': [
    metric(
      'lab/update_skipped',
      'Update skipped',
      'count',
      '1 where no trajectory differed from its group’s mean',
    ),
    metric(
      'lab/skipped_trajectory_rate',
      'Trajectories left out',
      'fraction',
      'Trajectories as good as their group’s mean, over trajectories',
    ),
    metric(
      'lab/trajectory_rows_mean',
      'Rows a trajectory',
      'count',
      'Sequences a trained trajectory became: 1 where every prompt went on from the last',
    ),
    metric(
      'lab/invalid_actions_mean',
      'Malformed or inadmissible',
      'count',
      'Replies that broke the format or whose action was not in the list, mean over trajectories',
    ),
    metric(
      'lab/truncated_rate',
      'Cut short',
      'fraction',
      'Trajectories ended by the turn cap or the longest sequence, over trajectories',
    ),
  ],
  strata: [
    metric(
      'strata/strategy_format_rate',
      'Strategy format',
      'fraction',
      'Strategies that keep their format, over strategies written',
    ),
    metric(
      'strata/strategy_closeness',
      'Closeness of strategies',
      'ratio',
      'Largest cosine between two strategies that were chosen for a task, mean over tasks',
    ),
    metric(
      'strata/sentence_model',
      'Sentence model',
      'count',
      '1 where a sentence model told how alike strategies are, 0 where hashed n-grams did',
    ),
    metric(
      'strata/strategy_reward_mean',
      'Strategy reward',
      'reward',
      'Mean of a strategy’s best trajectories, mean over strategies',
    ),
    metric(
      'strata/strategy_advantage_absolute_mean',
      'Strategy advantage size',
      'reward',
      'Absolute advantage, mean over strategies',
    ),
    metric(
      'strata/turn_group_size_mean',
      'Turns of a group',
      'turns',
      'Rollouts of a strategy that reached the same turn, mean over turns; the log has the sizes',
    ),
    metric(
      'strata/lone_turn_rate',
      'Lone turns',
      'fraction',
      'Turns that no other trajectory of the strategy reached, whose advantage is their raw reward, over turns',
    ),
  ],
  'turn-judge': [
    metric('judge/score_mean', 'Judge score', 'reward', 'Score, mean over the scored turns'),
    metric(
      'judge/unscored_rate',
      'Unscored turns',
      'fraction',
      'Drawn turns without a score, over drawn turns',
    ),
  ],
  opd: [
    metric(
      'opd/reverse_kl',
      'Reverse KL',
      'nats',
      'Student’s less teacher’s log-probability, mean over sampled tokens',
    ),
    metric(
      'opd/head_gap',
      'Gap at the head',
      'nats',
      'Teacher’s less student’s log-probability over the first fifth of a reply, mean over replies',
    ),
    metric(
      'opd/tail_gap',
      'Gap at the tail',
      'nats',
      'Teacher’s less student’s log-probability over the last fifth of a reply, mean over replies',
    ),
    metric(
      'opd/format_rate',
      'Format of all calls',
      'fraction',
      'Replies that keep their format, memories among them, over replies',
    ),
  ],
  sdar: [
    metric('sdar/gate_mean', 'Gate', 'fraction', 'sigmoid(sharpness × gap), mean over scored tokens'),
    metric(
      'sdar/gate_active_ratio',
      'Open gates',
      'fraction',
      'Scored tokens that the teacher likes better, over scored tokens',
    ),
    metric(
      'sdar/teacher_gap_mean',
      'Gap to the teacher',
      'nats',
      'Log-probability with the skill less without it, mean over scored tokens',
    ),
    metric('sdar/loss', 'Gated gap', 'nats', 'Gate × gap, mean over scored tokens, before its coefficient'),
    metric(
      'sdar/too_long_prompts',
      'Prompts too long for a skill',
      'count',
      'Acting prompts that pass the context with the skill: their replies were not scored',
    ),
  ],
  sft: [
    metric('sft/loss', 'Loss of replies', 'nats', 'Negative log-likelihood, mean over reply tokens'),
    metric(
      'sft/token_probability',
      'Token probability',
      'fraction',
      'Probability of the demonstrated token at temperature 1, mean over reply tokens',
    ),
    metric('sft/demonstrations', 'Demonstrations', 'count', 'Demonstrations of the step'),
  ],
  'endpoint-evaluation': [],
};

export function metricOf(name: string): Metric | null {
  return (
    [...METRICS, ...OCCASIONAL_METRICS, ...Object.values(RECIPE_METRICS).flat()].find(
      (known) => known.name === name,
    ) ?? null
  );
}
