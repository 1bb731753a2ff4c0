/** What a series measures, under whatever name a run or an import knows it. */
export type SeriesRole =
  | 'format_kept'
  | 'format_broken'
  | 'sampler_logprob'
  | 'entropy'
  | 'reply_length'
  | 'clipped_replies'
  | 'degenerate_groups'
  | 'trained_tokens'
  | 'update_skipped'
  | 'highest_reward'
  | 'lowest_reward'
  | 'smallest_group'
  | 'lone_turns'
  | 'outcome'
  | 'reward'
  | 'environment_reward'
  | 'training_success'
  | 'evaluation_success'
  | 'teacher_divergence'
  | 'update_size';

/**
 * Canonical names by role: the product's own, verl's and rLLM's, verl-agent's, agentic-rl-lab's, AgentGym-RL's. A metric's
 * share of the tasks of one type is none of these: too few tasks to tell anything from.
 */
const PATTERNS: Readonly<Record<SeriesRole, RegExp>> = {
  format_kept: /^(rollout_format_rate|(rollout_)?valid_tool_call_rate|episode_valid_action_ratio)$/,
  format_broken: /(format_violations|invalid_format_rate|parse_failure_rate|format_error_rate)(_|$)/,
  sampler_logprob: /^(actor|rollout|sampler|train)_(sampler_|old_|mean_)?log_?probs?(_mean)?$/,
  entropy: /^(actor_|policy_)?entropy(_loss|_mean)?$/,
  reply_length: /^(rollout_reply_tokens_mean|response_length(_mean)?|completion_length(_mean)?)$/,
  clipped_replies: /^(response_length_clip_ratio|completion_clip_ratio)$/,
  degenerate_groups: /^(advantage_degenerate_group_rate|group_reward_all_zero_rate)$/,
  trained_tokens: /^tokens_trained$/,
  update_skipped: /^(lab|train)_update_skipped$/,
  highest_reward: /^(critic_(score|task_score)|(episode_)?reward)_max$/,
  lowest_reward: /^(critic_(score|task_score)|(episode_)?reward)_min$/,
  smallest_group: /^group_size_min$/,
  lone_turns: /^strata_lone_turn_rate$/,
  outcome: /(^|_)(pass@\d+|is_correct|acc|accuracy|correct|success|success_rate)(_mean)?(@\d+)?$/,
  reward: /^(reward_mean|reward_environment_mean|critic_(score|rewards)_mean|episode_reward_mean)$/,
  environment_reward: /^(reward_environment_mean|critic_(score|task_score)_mean|episode_reward_mean)$/,
  training_success: /^(rollout|episode|reward|train)_success_rate$/,
  evaluation_success:
    /^(eval_valid_(seen|unseen)(_greedy)?_success_rate|(eval|val)_(success_rate|accuracy)|val_core_.*(acc|reward)_mean(@\d+)?|val_.*test_score)$/,
  teacher_divergence: /^(opd_reverse_kl|(actor_)?(teacher|reverse)_kl)$/,
  update_size: /^(actor_(ppo_kl|pg_clipfrac|clip_fraction|grad_norm)|training_rollout_probs_diff_mean)$/,
};

/** `val-core/alfworld/pass@1`, `actor_grad_norm`, `ExecutorNativeFormatViolations` in one spelling. */
function canonicalName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9@]+/g, '_');
}

/** What a series measures; none where no detector knows it. */
export function rolesOf(name: string): SeriesRole[] {
  const canonical = canonicalName(name);
  // The keys of a constant object are its type's keys.
  const roles = Object.keys(PATTERNS) as SeriesRole[];
  return roles.filter((role) => PATTERNS[role].test(canonical));
}
