import { AppError } from '@/contract/errors';
import type { SftConfig } from '@/contract/recipes/sft';
import type { RecipeEvent } from '@/contract/run-events';
import type { Tokenizer } from '@/contract/engine';
import { filterWords, type TrajectoryFilter } from '@/contract/trajectory-filter';
import type { Trajectory } from '@/contract/trajectory';
import type { RowCall } from '@/rl/learning/rows';
import { createRandom, hashSeed, type Random } from '@/rl/random';
import { toldCalls, type ToldCall } from '@/rl/told-calls';
import { playExpert } from './expert-episodes';
import { trainTasks } from './groups';
import { logEvent, type TrajectoryShelf } from './recipe';
import type { RunSetup } from './setup';

/** An episode to imitate, and its calls as the run's scaffold and tokenizer write them. */
export interface Demonstration {
  trajectory: Trajectory;
  calls: RowCall[];
}

/** What a run imitates. */
export interface Demonstrations {
  /** The demonstrations of a step. */
  at(step: number): Promise<Demonstration[]>;
  close(): Promise<void>;
}

/** What the run's config imitates; says in the run's log what that is. */
export async function* openDemonstrations(
  setup: RunSetup<SftConfig>,
): AsyncGenerator<RecipeEvent, Demonstrations> {
  const { source, trajectories: filter } = setup.config.demonstrations;
  if (source === 'expert')
    return { at: (step) => expertDemonstrations(setup, step), close: () => Promise.resolve() };
  if (!filter)
    throw new AppError(
      'invalid_input',
      'demonstrations.source is trajectories, demonstrations.trajectories is none',
    );
  const shelf = await setup.context.trajectories(filter);
  try {
    const fitting = await placesThatFit(setup, shelf, filter);
    yield logEvent('info', `${fitting.length} trajectories are imitated: ${filterWords(filter)}`);
    return {
      at: (step) =>
        inTurn(turnOf(fitting, setup.config, step), async (place) => told(setup, await shelf.at(place))),
      close: () => shelf.close(),
    };
  } catch (error) {
    await shelf.close();
    throw error;
  }
}

/** The expert on the step's own tasks; what it does not win within the turn cap is left out. */
async function expertDemonstrations(setup: RunSetup<SftConfig>, step: number): Promise<Demonstration[]> {
  const tasks = trainTasks(setup, step, { count: setup.config.demonstrations.perStep });
  const found: Demonstration[] = [];
  for (const [group, task] of tasks.entries()) {
    const seed = hashSeed(setup.config.seed, 'demonstration', step, task.id, group);
    const episode = await playExpert(setup, task, { step: step - 1, group, seed });
    if (episode?.trajectory.success) found.push(episode);
  }
  if (found.length === 0)
    throw new AppError(
      'invalid_input',
      `step ${step}: the expert wins none of ${tasks.length} tasks within environment.maxTurns ${setup.config.environment.maxTurns}`,
    );
  return found;
}

/** Places of the trajectories whose prompts are no longer than the run's may be. Throws `not_found` where there are none. */
async function placesThatFit(
  setup: RunSetup<SftConfig>,
  shelf: TrajectoryShelf,
  filter: TrajectoryFilter,
): Promise<number[]> {
  const fitting: number[] = [];
  for (let place = 0; place < shelf.count; place++) {
    const { calls } = told(setup, await shelf.at(place));
    if (calls.every(({ prompt }) => prompt.length <= setup.config.rollout.maxPromptTokens))
      fitting.push(place);
  }
  if (fitting.length === 0)
    throw new AppError(
      'not_found',
      `no trajectory is as demonstrations.trajectories asks: ${filterWords(filter)}`,
    );
  return fitting;
}

/** A recorded trajectory, told anew through the run's scaffold. */
function told({ context, scaffold }: RunSetup<SftConfig>, trajectory: Trajectory): Demonstration {
  const { tokenizer, stopTokens } = context.engine;
  const calls = toldCalls(trajectory, scaffold).map((call) =>
    writtenCall(call, trajectory, { tokenizer, stopTokens, tools: scaffold.tools }),
  );
  return { trajectory, calls };
}

/** One result after the other, in the order of the items. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  action: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await action(item));
  return results;
}

interface Writing {
  tokenizer: Tokenizer;
  stopTokens: readonly number[];
  tools: Parameters<Tokenizer['encodeChat']>[1];
}

/** A call in token ids: the recorded ones where this tokenizer reads the reply in them, else the text anew. */
export function writtenCall(
  { call, turn, messages, reply }: ToldCall,
  { turns }: Trajectory,
  { tokenizer, stopTokens, tools }: Writing,
): RowCall {
  const recorded = call === 'action' ? turns[turn]?.tokens?.ids : undefined;
  const own = recorded && withoutEnd(recorded, stopTokens);
  const isOwn =
    own !== undefined && own.every((id) => id < tokenizer.vocabularySize) && tokenizer.decode(own) === reply;
  const tokens = [...(isOwn ? own : tokenizer.encode(reply)), ...stopTokens.slice(0, 1)];
  return { prompt: tokenizer.encodeChat(messages, tools), reply: tokens, logprobs: tokens.map(() => 0) };
}

function withoutEnd(ids: readonly number[], stopTokens: readonly number[]): readonly number[] {
  const last = ids[ids.length - 1];
  return last !== undefined && stopTokens.includes(last) ? ids.slice(0, -1) : ids;
}

/** The step's share of an endless row of demonstrations, shuffled anew each time it is through. */
export function turnOf<Item>(
  items: readonly Item[],
  { seed, demonstrations: { perStep } }: Pick<SftConfig, 'seed'> & { demonstrations: { perStep: number } },
  step: number,
): Item[] {
  const orders = new Map<number, Item[]>();
  return Array.from({ length: perStep }, (_, i) => (step - 1) * perStep + i).flatMap((position) => {
    const epoch = Math.floor(position / items.length);
    const order = orders.get(epoch) ?? createRandom(hashSeed(seed, 'demonstrations', epoch)).shuffle(items);
    orders.set(epoch, order);
    return order[position % items.length] ?? [];
  });
}

/**
 * The demonstrations with their replies dealt anew over all of their calls: the control that must not learn. Each prompt has a
 * reply that was once given, seldom to it.
 */
export function withDealtReplies(demonstrations: readonly Demonstration[], random: Random): Demonstration[] {
  const dealt = random.shuffle(demonstrations.flatMap(({ calls }) => calls));
  return demonstrations.map(({ trajectory, calls }) => ({
    trajectory,
    calls: calls.map(({ prompt }) => {
      const { reply, logprobs } = dealt.pop() ?? { reply: [], logprobs: [] };
      return { prompt, reply, logprobs };
    }),
  }));
}
