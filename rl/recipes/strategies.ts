import type { TextEmbedder } from '@/contract/embedding';
import type { SamplingClient } from '@/contract/engine';
import type { StrataConfig } from '@/contract/recipes/strata';
import type { RecipeEvent } from '@/contract/run-events';
import { draftStrategies, type StrategyDraft, type TaskDrafts } from '@/rl/draft-strategies';
import type { Task } from '@/rl/environments/environment';
import { meanOf } from '@/rl/learning/advantages';
import { cosine, farthestPoints } from '@/rl/learning/strata';
import type { PlayedEpisode, PlayRequest } from '@/rl/play';
import { createRandom, hashSeed } from '@/rl/random';
import { freeResponder } from '@/rl/reply';
import { playDefaults } from './evaluation';
import { sampleEpisodes, trainTasks } from './groups';
import { activityEvent } from './recipe';
import type { RunSetup } from './setup';

/** A strategy of a task and the trajectories that followed it. */
export interface PlayedStrategy {
  /** Number of its task within the step. */
  group: number;
  draft: StrategyDraft;
  episodes: PlayedEpisode[];
}

interface StrategiesRollout {
  /** Strategies of each task that could be played, [tasks][strategies]. */
  tasks: PlayedStrategy[][];
  /** Of tasks that could not. */
  failed: PlayedEpisode[];
  metrics: Record<string, number>;
}

/** The strategies of one task that are to be played. */
interface ChosenStrategies {
  task: Task;
  group: number;
  drafts: StrategyDraft[];
}

/** Writes strategies for the step's tasks with the weights of checkpoint `step - 1`, chooses among them, and plays each. */
export async function* sampleStrategies(
  setup: RunSetup<StrataConfig>,
  embedder: TextEmbedder | null,
  sampler: SamplingClient,
  step: number,
): AsyncGenerator<RecipeEvent, StrategiesRollout> {
  const { config, context } = setup;
  const { groups, groupSize } = config.rollout;
  const { count } = config.strategies;
  const started = context.clock();
  const tasks = trainTasks(setup, step, { count: groups });
  yield activityEvent(step, 'rollout', groups * groupSize);
  const drafted = await draftsOf(setup, sampler, step, tasks);
  const chosen: ChosenStrategies[] = [];
  const closeness: number[] = [];
  for (const [group, task] of tasks.entries()) {
    const drafts = drafted[group]?.drafts ?? [];
    if (drafts.length === 0) continue;
    const random = createRandom(hashSeed(config.seed, 'first strategy', step, group));
    const choice = embedder && (await chooseApart(drafts, count, embedder, random.integer(drafts.length)));
    const played = choice?.drafts ?? drafts;
    if (setup.scaffold.strategyCall?.replies) await unmaskLogprobs(played, sampler);
    chosen.push({ task, group, drafts: played });
    if (choice) closeness.push(choice.closeness);
  }
  const draftingS = context.clock() - started;

  const { episodes, metrics } = yield* sampleEpisodes(
    setup,
    sampler,
    step,
    episodeRequests(chosen, config, step),
  );
  const samples = groupSize / count;
  return {
    tasks: chosen.map(({ group, drafts }) =>
      drafts.map((draft) => ({ group, draft, episodes: episodes.splice(0, samples) })),
    ),
    failed: drafted.flatMap(({ failed }) => failed ?? []),
    metrics: {
      ...metrics,
      'time/rollout': draftingS + (metrics['time/rollout'] ?? NaN),
      'strata/strategy_format_rate': formatRate(drafted),
      ...(embedder && {
        'strata/strategy_closeness': meanOf(closeness),
        'strata/sentence_model': Number(embedder.kind === 'sentence-model'),
      }),
    },
  };
}

/** As many strategies a task as are chosen from, or, where none are chosen, as are played. */
function draftsOf(
  setup: RunSetup<StrataConfig>,
  sampler: SamplingClient,
  step: number,
  tasks: readonly Task[],
): Promise<TaskDrafts[]> {
  const { config, context } = setup;
  const { temperature, maxReplyTokens, maxTrajectoryTokens } = config.rollout;
  const { count, oversampling, selection } = config.strategies;
  const requests = tasks.map((task, group) => ({
    task,
    group,
    sample: 0,
    seed: hashSeed(config.seed, 'draft', step - 1, task.id),
  }));
  return draftStrategies(requests, selection === 'farthest' ? count * oversampling : count, {
    ...playDefaults(setup),
    respond: freeResponder(
      sampler,
      { maxTokens: maxReplyTokens, temperature, stopTokens: context.engine.stopTokens },
      maxTrajectoryTokens,
    ),
    lanes: sampler.lanes,
    step: step - 1,
    phase: 'train',
    decoding: 'sampled',
    records: () => false,
  });
}

/**
 * `count` drafts that lie far apart, from `first` on, and the largest cosine between two of them. A draft that broke the
 * format is embedded as it was written.
 */
async function chooseApart(
  drafts: readonly StrategyDraft[],
  count: number,
  embedder: TextEmbedder,
  first: number,
): Promise<{ drafts: StrategyDraft[]; closeness: number }> {
  const embeddings = await embedder.embed(drafts.map(({ text, reply }) => text ?? reply));
  const chosen = farthestPoints(embeddings, count, first);
  const cosines = chosen.flatMap((a, i) =>
    chosen.slice(0, i).map((b) => cosine(embeddings[a] ?? [], embeddings[b] ?? [])),
  );
  return {
    drafts: chosen.flatMap((index) => drafts[index] ?? []),
    closeness: cosines.length > 0 ? Math.max(...cosines) : NaN,
  };
}

/**
 * A draft of a masked call has log-probabilities over the replies of its list; an update compares those over the whole
 * vocabulary, which these become.
 */
async function unmaskLogprobs(drafts: readonly StrategyDraft[], sampler: SamplingClient): Promise<void> {
  await Promise.all(
    drafts.map(async ({ call }) => {
      const logprobs = await sampler.computeLogprobs([...call.prompt, ...call.reply]);
      call.logprobs = logprobs.slice(call.prompt.length);
    }),
  );
}

/** Each strategy's trajectories, which go on from its call. */
function episodeRequests(
  chosen: readonly ChosenStrategies[],
  { seed, rollout, strategies }: StrataConfig,
  step: number,
): PlayRequest<Task>[] {
  const samples = rollout.groupSize / strategies.count;
  return chosen.flatMap(({ task, group, drafts }) =>
    drafts.flatMap(({ call }, strategy) =>
      Array.from({ length: samples }, (_, i) => ({
        task,
        group,
        sample: strategy * samples + i,
        seed: hashSeed(seed, 'train', step - 1, task.id, strategy * samples + i),
        from: [call],
      })),
    ),
  );
}

function formatRate(drafted: readonly TaskDrafts[]): number {
  return meanOf(drafted.flatMap(({ drafts }) => drafts.map(({ text }) => Number(text !== null))));
}
