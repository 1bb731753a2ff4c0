import { describe, expect, it } from 'vitest';
import type { BabyAiTextTaskType } from '@/contract/environments/babyai-text';
import { GridPicture } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import type { StepResult } from '../environment';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '../testing/episode-contract';
import { createBabyAiText } from './babyai-text';
import { BABYAI_TEXT_ACTIONS } from './episode';
import { TEXT_LEVELS } from './levels';
import { babyAiTextTask, isSeedOf, type BabyAiTextTask } from './task';

const environment = createBabyAiText();
const upstream = createBabyAiText({ compat: 'upstream' });
const task = (taskType: BabyAiTextTaskType, seed: number) =>
  babyAiTextTask('MixedTrainLocal', taskType, seed, 'train');

/** Two tasks of every level and type. */
const TASKS = TEXT_LEVELS.flatMap(({ name, taskTypes }) =>
  taskTypes.flatMap((taskType) => {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    return seeds
      .filter((seed) => isSeedOf(name, taskType, seed))
      .slice(0, 2)
      .map((seed) => babyAiTextTask(name, taskType, seed, 'train'));
  }),
);

function randomActions(of: BabyAiTextTask, count: number): string[] {
  const random = createRandom(hashSeed('babyai-text test', of.id));
  return Array.from({ length: count }, () => random.pick(BABYAI_TEXT_ACTIONS));
}

function play(of: BabyAiTextTask, actions: readonly string[], by = upstream): StepResult[] {
  const episode = by.start(of);
  const results: StepResult[] = [];
  for (const action of actions) {
    results.push(episode.step(action));
    if (results.at(-1)?.done) break;
  }
  return results;
}

const COLOR = '(blue|green|grey|purple|red|yellow)';
const PLACE = '(\\d steps? (left|right)( and \\d steps? forward)?|\\d steps? forward)';
const LINE = new RegExp(
  `^(You carry a ${COLOR} (key|ball|box)|You see a wall \\d steps? (forward|left|right)|` +
    `You see a (${COLOR} (key|ball|box)|(open|closed|locked) ${COLOR} door) ${PLACE})$`,
);

describe('an episode', () => {
  it('tells well-formed lines, one or more, and offers the same six actions at every turn', () => {
    expect(TASKS).toHaveLength(32);
    for (const of of TASKS) {
      const episode = upstream.start(of);
      for (const action of randomActions(of, 100)) {
        const { text, availableActions } = episode.observe();
        const lines = text.split('\n');
        expect(lines).toEqual(episode.descriptions);
        for (const line of lines) expect(line).toMatch(LINE);
        expect(availableActions).toEqual(BABYAI_TEXT_ACTIONS);
        const result = episode.step(action);
        expect(result.valid).toBe(true);
        expect(result.observation).toBe(episode.observe());
        if (result.done) break;
      }
    }
  });

  it.each([
    ['default rules', environment],
    ['compat upstream', upstream],
  ])('keeps what every environment promises, under %s', async (_name, by) => {
    for (const [index, of] of TASKS.entries()) {
      const shown = await expectRepeatable(by, of, 40);
      expectWholeTexts(by.start(of).goal, shown);
      await expectIndependent(by, [of, TASKS[(index + 1) % TASKS.length] ?? of], 20);
      await expectIndependent(by, [of, of], 20);
      await expectOffersAccepted(by, of, 6, /^There is no action/);
      await expectSnapshotsExact(by, of, 6);
    }
  });

  it('pays 1 - 0.9 * steps / maxSteps for a success, which ends it, and nothing else', () => {
    let successes = 0;
    for (let seed = 0; seed < 60; seed++) {
      const results = play(task('go_to', seed), randomActions(task('go_to', seed), 64));
      results.forEach(({ success, reward, done, truncated }, index) => {
        if (success) successes++;
        expect(reward).toBe(success ? 1 - 0.9 * ((index + 1) / 64) : 0);
        expect(done).toBe(success || index === 63);
        expect(truncated).toBe(done && !success);
      });
    }
    expect(successes).toBeGreaterThan(10);
  });

  it('shows its grid, pose and view as a picture', () => {
    for (const of of TASKS) {
      const episode = environment.start(of);
      const picture = episode.picture();
      const { grid } = episode.world;
      expect(GridPicture.parse(picture)).toEqual(picture);
      expect(picture).toMatchObject({ width: grid.width, height: grid.height, carrying: null });
      expect([picture.agent.x, picture.agent.y]).toEqual([grid.agentX, grid.agentY]);
      expect(picture.objects).toHaveLength(grid.cells.filter((object) => object !== null).length);
      expect(picture.objects.some(({ target }) => target)).toBe(true);
    }
  });
});

describe('the end of an episode', () => {
  it('comes at maxSteps, however many turns are allowed', () => {
    const results = play(task('pick_up', 1), new Array<string>(200).fill('turn left'));
    expect(results).toHaveLength(64);
    expect(results.at(-1)).toMatchObject({ done: true, truncated: true, success: false, reward: 0 });
  });

  it('comes after 30 turns by default, and after maxTurns where that is given', () => {
    const actions = new Array<string>(200).fill('turn left');
    expect(play(task('open', 1), actions, environment)).toHaveLength(30);
    expect(play(task('open', 1), actions, createBabyAiText({ maxTurns: 20 }))).toHaveLength(20);
    expect(play(task('open', 1), actions, createBabyAiText({ maxTurns: null }))).toHaveLength(128);
  });

  it('is final', () => {
    const episode = createBabyAiText({ maxTurns: 1 }).start(task('open', 1));
    episode.step('turn left');
    expect(() => episode.step('turn left')).toThrow(/babyai-text\/MixedTrainLocal\/open\/1 has ended/);
  });
});

describe('an action that is none of the six', () => {
  const junk = ['fly', 'Turn left', ' turn left', 'pickup', '', 'go forward go forward', '\ud800'];

  it.each(junk)('%j is refused by name, moves nothing and costs a turn', (action) => {
    const episode = environment.start(task('open', 1));
    const before = episode.observe().text;
    const result = episode.step(action);
    expect(result).toMatchObject({ valid: false, success: false, reward: 0, done: false });
    expect(result.observation.text).toBe(
      `There is no action "${action}". Actions: turn left, turn right, go forward, pick up, drop, toggle.\n${before}`,
    );
    expect(result.observation.availableActions).toEqual(BABYAI_TEXT_ACTIONS);
    expect(episode.world.steps).toBe(0);
    expect(episode.snapshot().actions).toEqual([action]);
  });

  it('is shown cut where it is long', () => {
    const { observation } = environment.start(task('open', 1)).step('x'.repeat(5000));
    expect(observation.text).toContain(`"${'x'.repeat(80)}..."`);
    expect(observation.text).not.toContain('x'.repeat(81));
  });

  it.each(junk)('%j is a step that changes nothing in upstream', (action) => {
    const episode = upstream.start(task('open', 1));
    const [before, hash] = [episode.observe(), episode.stateHash()];
    expect(episode.step(action)).toMatchObject({ valid: false, reward: 0, done: false, observation: before });
    expect(episode.stateHash()).toBe(hash);
    expect(episode.world.steps).toBe(1);
  });
});

describe('createBabyAiText', () => {
  it('records every option', () => {
    expect(environment.options).toEqual({ maxTurns: 30, refuseUnknownActions: true });
    expect(upstream.options).toEqual({ maxTurns: null, refuseUnknownActions: false });
    expect(createBabyAiText({ compat: 'upstream', maxTurns: 20 }).options.maxTurns).toBe(20);
  });

  it('refuses settings that are not valid', () => {
    expect(() => createBabyAiText({ maxTurns: 0 })).toThrow(/maxTurns .* got 0/);
    const settings: object = { compat: 'agentgym' };
    expect(() => createBabyAiText(settings)).toThrow(/compat must be upstream or left out, got agentgym/);
  });
});
