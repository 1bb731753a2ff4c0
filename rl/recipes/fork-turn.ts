/**
 * A recorded trajectory continued from one of its turns, several times, by a checkpoint: the recorded actions are replayed
 * in the environment up to that turn, the model is given the recorded prompts and replies, and all that follows is its
 * own. Page: docs/play.md.
 */
import { AppError } from '@/contract/errors';
import { splitSizesOf } from '@/contract/environments/registry';
import type { ForkTurnConfig } from '@/contract/recipes/requested-work';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { findPlayedTask } from '../environments/find-task';
import type { Environment, Task } from '../environments/environment';
import { callsBefore, playEpisodes } from '../play';
import { hashSeed } from '../random';
import { recordedCalls } from '../recorded-calls';
import { playDefaults, responderOf } from './evaluation';
import { warnOfFailures } from './failures';
import { activityEvent, type RecipeContext } from './recipe';
import { requestedCheckpoint } from './requested-checkpoint';
import { setUp } from './setup';

export async function* forkTurn(config: ForkTurnConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const { turn, samples } = config;
  const setup = await setUp(config, context);
  const { suite, scaffold } = setup;
  const origin = await context.trajectory(config.trajectory);
  const splitSize = splitSizesOf(config.environment)[origin.split];
  const task = findPlayedTask(suite, origin, { runSeed: config.seed, splitSize });
  await requireSameWorld(suite.environment, task, origin, turn);
  const { tokenizer, stopTokens } = context.engine;
  const calls = recordedCalls(origin, { scaffold, tokenizer, stopTokens });
  const from = callsBefore({ given: [], calls }, turn);
  const { reference, sampler } = await requestedCheckpoint(config, context);
  yield activityEvent(0, 'evaluation', samples);
  const seedOf = (sample: number): number =>
    hashSeed(config.seed, 'fork', reference.runId, reference.step, config.trajectory, turn, sample);
  const { episodes } = await playEpisodes(
    Array.from({ length: samples }, (_, sample) => ({
      task,
      group: null,
      sample,
      seed: seedOf(sample),
      from,
    })),
    {
      ...playDefaults(setup),
      respond: responderOf(setup, sampler, 'sampled'),
      lanes: sampler.lanes,
      step: reference.step,
      phase: 'fork',
      decoding: 'sampled',
      records: () => true,
    },
  );
  const trajectories = episodes.map(({ trajectory }) => trajectory);
  for (const trajectory of trajectories) yield { kind: 'trajectory:finished', trajectory };
  yield* warnOfFailures(`the continuations from turn ${turn}`, trajectories);
  yield { kind: 'step:finished', step: 1, steps: 1 };
}

/**
 * Replays the recorded actions before a turn. Throws `invalid_input` where the environment shows anything else than was
 * recorded: what follows would not be a continuation.
 */
async function requireSameWorld(
  environment: Environment,
  task: Task,
  { turns }: Pick<Trajectory, 'turns'>,
  turn: number,
): Promise<void> {
  const episode = await environment.start(task);
  try {
    for (const recorded of turns.slice(0, turn + 1)) {
      const { text, availableActions } = episode.observe();
      if (
        text !== recorded.observation ||
        availableActions.join('\n') !== recorded.availableActions.join('\n')
      )
        throw new AppError(
          'invalid_input',
          `${task.id} shows something else at turn ${recorded.index} than was recorded: environment ${environment.id} is now version ${environment.version}, or has other options`,
        );
      if (recorded.index < turn) await episode.step(recorded.action);
    }
  } finally {
    await episode.close?.();
  }
}
