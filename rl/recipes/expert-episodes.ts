import { AppError } from '@/contract/errors';
import type { Episode, Task } from '@/rl/environments/environment';
import { playEpisodes, type PlayedEpisode } from '@/rl/play';
import { playDefaults } from './evaluation';
import type { RunSetup } from './setup';

/** Actions of a plan that a demonstrated memory names. */
const NAMED_ACTIONS = 8;

const PLAIN_THOUGHT = 'I take the next action of my plan.';

/**
 * The environment's expert playing a task through the run's scaffold, as an episode that a policy could have sampled: its calls
 * have the prompts that the policy would be given, and replies that the scaffold reads back, a memory after each turn where it
 * keeps one. Null where the expert has no plan. Throws `invalid_input` where it cannot be demonstrated at all.
 */
export async function playExpert(
  setup: RunSetup,
  task: Task,
  { step, group, seed }: { step: number; group: number; seed: number },
): Promise<PlayedEpisode | null> {
  const { suite, context, config } = setup;
  const { environment, expert } = suite;
  if (!expert)
    throw new AppError('invalid_input', `${environment.id} has no expert that could demonstrate its tasks`);
  const episode = await environment.start(task);
  const { actions } = expert.plan(episode);
  if (actions === null) {
    await episode.close?.();
    return null;
  }
  const replies = expertReplies(setup, episode, actions);
  const { tokenizer, stopTokens } = context.engine;
  const respond = () => {
    const text = replies.next().value ?? '';
    const tokens = [...tokenizer.encode(text), ...stopTokens.slice(0, 1)];
    if (tokens.length > config.rollout.maxReplyTokens)
      throw new AppError(
        'invalid_input',
        `rollout.maxReplyTokens is ${config.rollout.maxReplyTokens}, the demonstrated reply "${text}" has ${tokens.length} tokens`,
      );
    return Promise.resolve([{ tokens, logprobs: tokens.map(() => NaN), stopReason: 'stop' as const }]);
  };
  const { episodes } = await playEpisodes([{ task, group, sample: 0, seed }], {
    ...playDefaults(setup),
    environment: {
      id: environment.id,
      version: environment.version,
      options: environment.options,
      start: () => episode,
    },
    respond,
    lanes: 1,
    step,
    phase: 'train',
    decoding: 'sampled',
    records: () => group < (config.recording?.trainGroups ?? 0),
  });
  return episodes[0] ?? null;
}

/** What the expert writes, call by call; each is written when it is asked for, so that it tells what is seen then. */
function* expertReplies(
  { suite, scaffold }: RunSetup,
  episode: Episode,
  actions: readonly string[],
): Generator<string> {
  const { write } = scaffold;
  if (!write || scaffold.strategyCall)
    throw new AppError(
      'invalid_input',
      `the expert demonstrates actions alone; scaffold ${scaffold.id} asks for more`,
    );
  for (const [index, action] of actions.entries()) {
    const seen = { goal: episode.goal, observation: episode.observe(), action };
    yield write(suite.thought?.(seen) ?? PLAIN_THOUGHT, action);
    if (scaffold.memoryCall) yield memoryOf(actions, index + 1);
  }
}

/** The plan's next actions as notes. */
function memoryOf(actions: readonly string[], done: number): string {
  const left = actions.slice(done);
  const named = left.slice(0, NAMED_ACTIONS).join('; ');
  const more = left.length > NAMED_ACTIONS ? `; and ${left.length - NAMED_ACTIONS} more` : '';
  return `I have done ${done} actions of my plan. What is left of it: ${named || 'nothing'}${more}.`;
}
