import { AppError } from '@/contract/errors';
import type { SftConfig } from '@/contract/recipes/sft';
import type { RecipeEvent } from '@/contract/run-events';
import type { Tokenizer } from '@/contract/engine';
import { filterWords, type TrajectoryFilter } from '@/contract/trajectory-filter';
import type { Trajectory } from '@/contract/trajectory';
import type { RowCall } from '@/rl/learning/rows';
import { createRandom, hashSeed } from '@/rl/random';
import { toldCalls, type ToldCall } from '@/rl/told-calls';
import { playExpert } from './expert-episodes';
import { trainTasks } from './groups';
import { logEvent } from './recipe';
import type { RunSetup } from './setup';

/** An episode to imitate, and its calls as the run's scaffold and tokenizer write them. */
export interface Demonstration {
  trajectory: Trajectory;
  calls: RowCall[];
}

/** The demonstrations of a step. */
export type DemonstrationsAt = (step: number) => Promise<Demonstration[]>;

/** What the run's config imitates; says in the run's log what that is. */
export async function* openDemonstrations(
  setup: RunSetup<SftConfig>,
): AsyncGenerator<RecipeEvent, DemonstrationsAt> {
  const { source, trajectories: filter } = setup.config.demonstrations;
  if (source === 'expert') return (step) => expertDemonstrations(setup, step);
  if (!filter)
    throw new AppError(
      'invalid_input',
      'demonstrations.source is trajectories, demonstrations.trajectories is none',
    );
  const told = await readTrajectories(setup, filter);
  yield logEvent('info', `${told.length} trajectories are imitated: ${filterWords(filter)}`);
  return (step) => Promise.resolve(turnOf(told, setup.config, step));
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

async function readTrajectories(
  { context, scaffold, config }: RunSetup<SftConfig>,
  filter: TrajectoryFilter,
): Promise<Demonstration[]> {
  const { tokenizer, stopTokens } = context.engine;
  const told: Demonstration[] = [];
  for await (const trajectory of context.trajectories(filter)) {
    const calls = toldCalls(trajectory, scaffold).map((call) =>
      writtenCall(call, trajectory, { tokenizer, stopTokens, tools: scaffold.tools }),
    );
    if (calls.every(({ prompt }) => prompt.length <= config.rollout.maxPromptTokens))
      told.push({ trajectory, calls });
  }
  if (told.length === 0)
    throw new AppError(
      'not_found',
      `no trajectory is as demonstrations.trajectories asks: ${filterWords(filter)}`,
    );
  return told;
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
