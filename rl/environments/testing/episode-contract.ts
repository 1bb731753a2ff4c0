/** What every environment promises of its episodes, as checks for its tests. Actions come from seeded generators. */
import { expect } from 'vitest';
import { createRandom, type Random } from '@/rl/random';
import {
  restoreEpisode,
  type Environment,
  type Episode,
  type EpisodeSnapshot,
  type Observation,
  type StepResult,
  type Task,
} from '../environment';

/** All that a turn shows. */
export interface ShownTurn {
  action: string;
  result: StepResult;
  stateHash: string | null;
}

/** Mostly offered actions, now and then one that no environment offers. */
function chooseAction({ availableActions }: Observation, random: Random): string {
  if (availableActions.length === 0 || random.integer(8) === 0) return random.pick(['', 'fly to the moon']);
  return random.pick(availableActions);
}

async function takeTurn(episode: Episode, random: Random): Promise<ShownTurn> {
  const action = chooseAction(episode.observe(), random);
  const result = await episode.step(action);
  return { action, result, stateHash: episode.stateHash() };
}

/** Plays until the end or for `turns` turns. */
async function playTurns(episode: Episode, random: Random, turns: number): Promise<ShownTurn[]> {
  const shown: ShownTurn[] = [];
  while (shown.length < turns && !shown.at(-1)?.result.done) shown.push(await takeTurn(episode, random));
  return shown;
}

/** Two plays of a task through the same actions show the same; gives what they show. */
export async function expectRepeatable<T extends Task>(
  environment: Environment<T>,
  task: T,
  turns: number,
): Promise<ShownTurn[]> {
  const first = await environment.start(task);
  const shown = await playTurns(first, createRandom(1), turns);
  const second = await environment.start(task);
  expect(second.goal).toBe(first.goal);
  expect(await playTurns(second, createRandom(1), turns)).toEqual(shown);
  return shown;
}

/** Two episodes played turn by turn in alternation show what each shows alone. */
export async function expectIndependent<T extends Task>(
  environment: Environment<T>,
  tasks: readonly [T, T],
  turns: number,
): Promise<void> {
  const alone = [];
  for (const [index, task] of tasks.entries())
    alone.push(await playTurns(await environment.start(task), createRandom(index), turns));
  const players = [];
  for (const [index, task] of tasks.entries())
    players.push({
      episode: await environment.start(task),
      random: createRandom(index),
      shown: [] as ShownTurn[],
    });
  for (let turn = 0; turn < turns; turn++) {
    for (const { episode, random, shown } of players)
      if (!shown.at(-1)?.result.done) shown.push(await takeTurn(episode, random));
  }
  expect(players.map(({ shown }) => shown)).toEqual(alone);
}

/** Along a play, every action that is offered is accepted, and none is answered with a text of refusal. */
export async function expectOffersAccepted<T extends Task>(
  environment: Environment<T>,
  task: T,
  turns: number,
  refusalText: RegExp,
): Promise<void> {
  const random = createRandom(1);
  const episode = await environment.start(task);
  for (let turn = 0, done = false; turn < turns && !done; turn++) {
    const snapshot = episode.snapshot();
    for (const action of episode.observe().availableActions) {
      const { valid, observation } = await (await restoreEpisode(environment, snapshot)).step(action);
      expect({ action, valid }).toEqual({ action, valid: true });
      expect(observation.text).not.toMatch(refusalText);
    }
    ({ done } = await episode.step(random.pick(episode.observe().availableActions)));
  }
}

/**
 * At every turn of a play, refused ones included, the episode's snapshot survives JSON and restores its exact state: all
 * it shows then, and all it shows later.
 */
export async function expectSnapshotsExact<T extends Task>(
  environment: Environment<T>,
  task: T,
  turns: number,
): Promise<void> {
  const episode = await environment.start(task);
  const random = createRandom(2);
  const states = [stateOf(episode)];
  const shown: ShownTurn[] = [];
  while (shown.length < turns && !shown.at(-1)?.result.done) {
    shown.push(await takeTurn(episode, random));
    states.push(stateOf(episode));
  }
  for (const [turn, state] of states.entries()) {
    const stored = JSON.parse(JSON.stringify(state.snapshot)) as EpisodeSnapshot<T>;
    const restored = await restoreEpisode(environment, stored);
    expect(stateOf(restored)).toEqual(state);
    for (const { action, result, stateHash } of shown.slice(turn)) {
      expect(await restored.step(action)).toEqual(result);
      expect(restored.stateHash()).toBe(stateHash);
    }
  }
}

function stateOf<T extends Task>(episode: Episode<T>) {
  return {
    goal: episode.goal,
    observation: episode.observe(),
    stateHash: episode.stateHash(),
    picture: episode.picture(),
    snapshot: episode.snapshot(),
  };
}

/** No text shows a value that was not there, and no goal or action is blank. */
export function expectWholeTexts(goal: string, shown: readonly ShownTurn[]): void {
  const actions = shown.flatMap(({ result }) => result.observation.availableActions);
  const observations = shown.map(({ result }) => result.observation.text);
  for (const text of [goal, ...actions, ...observations])
    expect(text).not.toMatch(/\b(undefined|NaN|null)\b|\[object/);
  for (const text of [goal, ...actions]) expect(text.trim()).not.toBe('');
}
