/** Areas of verl's metric names, in which an export may have written `_` for `/`; longer ones first. */
const AREAS = [
  'response_length_non_aborted',
  'timing_per_token_ms',
  'assistant_response_length',
  'response_length',
  'prompt_length',
  'tool_call_counts',
  'global_seqlen',
  'group_reward',
  'group_size',
  'num_turns',
  'timing_s',
  'response',
  'training',
  'rollout',
  'episode',
  'reward',
  'actor',
  'critic',
  'batch',
  'perf',
  'mfu',
  'val',
] as const;

/** Metrics that have parts of their own: `critic/score/mean`, `episode/length/max`. */
const PARTED =
  /^(critic|episode)_(score|task_score|task_round|rewards|advantages|returns|values|reward|length|tool_call_count)_(mean|max|min)$/;
const AGENT_LOOP = /^timing_s_agent_loop_(.+?)_(min|max|mean)$/;
const SLOWEST = /^timing_s_agent_loop_slowest_(.+)$/;

/**
 * verl's own name of a metric that was exported with `_` for `/`: `critic_score_mean` is `critic/score/mean`. A name of no known
 * area stays as it is.
 */
export function verlName(exported: string): string {
  const parted = PARTED.exec(exported);
  if (parted) return parted.slice(1).join('/');
  const slowest = SLOWEST.exec(exported);
  if (slowest) return `timing_s/agent_loop/slowest/${slowest[1]}`;
  const loop = AGENT_LOOP.exec(exported);
  if (loop) return `timing_s/agent_loop/${loop[1]}/${loop[2]}`;
  if (exported === 'perf_mfu_actor' || exported === 'perf_mfu_critic') return exported.replaceAll('_', '/');
  const area = AREAS.find((each) => exported.startsWith(`${each}_`));
  return area ? `${area}/${exported.slice(area.length + 1)}` : exported;
}
