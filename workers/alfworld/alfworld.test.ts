import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HouseholdPicture, type HouseholdPicture as Picture } from '@/contract/trajectory';
import { createAlfWorld, type AlfWorldEnvironment } from '@/rl/environments/alfworld/alfworld';
import type { AlfWorldEpisode } from '@/rl/environments/alfworld/episode';
import { alfWorldExpert } from '@/rl/environments/alfworld/expert';
import { ALFWORLD_TASK_TYPES } from '@/contract/environments/alfworld';
import type { AlfWorldTask } from '@/rl/environments/alfworld/task';
import {
  expectIndependent,
  expectOffersAccepted,
  expectRepeatable,
  expectSnapshotsExact,
  expectWholeTexts,
} from '@/rl/environments/testing/episode-contract';
import { createRandom } from '@/rl/random';
import { outsideDataDir } from '../env';
import { listGames } from './game-list';
import { openGameStore } from './game-store';

const GAMES = join(outsideDataDir(), 'alfworld');
const ARCHIVE = join(GAMES, 'games.tar.xz');
const hasGames = existsSync(ARCHIVE) && spawnSync('xz', ['--version']).status === 0;

describe.skipIf(!hasGames)('ALFWorld, by every task type (STEPSCOPE_DATA, xz)', () => {
  const store = openGameStore(ARCHIVE);
  const { tasks } = listGames(store, 'valid_seen');
  const ofType = (taskType: string) => tasks.filter((task) => task.taskType === taskType);
  const environment = createAlfWorld({ readGame: ({ game }) => store.read(game) });
  const types = ALFWORLD_TASK_TYPES.map((taskType) => {
    const [task, other] = ofType(taskType);
    if (!task || !other) throw new Error(`no two games of ${taskType}`);
    return { taskType, task, other };
  });

  it.each(types)(
    '$taskType: the same game and actions give the same episode, in whole texts',
    async ({ task }) => {
      const shown = await expectRepeatable(environment, task, 40);
      expectWholeTexts(environment.start(task).goal, shown);
    },
  );

  it.each(types)(
    '$taskType: episodes leave each other alone, of one game and of two',
    async ({ task, other }) => {
      await expectIndependent(environment, [task, task], 20);
      await expectIndependent(environment, [task, other], 20);
    },
  );

  it.each(types)('$taskType: every admissible command is accepted', async ({ task }) => {
    await expectOffersAccepted(environment, task, 6, /Nothing happens/);
  });

  it.each(types)('$taskType: snapshots restore the exact state', async ({ task }) => {
    await expectSnapshotsExact(environment, task, 12);
  });

  it.each(types)(
    '$taskType: the picture says what the observation says, and counts the goal up to the win',
    ({ task }) => {
      const { pictures, stages } = playPlan(environment, task);
      expect(pictures.map((picture) => HouseholdPicture.safeParse(picture).success)).not.toContain(false);
      const ends = pictures.at(-1)?.progress ?? [];
      expect(ends.map(({ stage }) => stage)).toEqual(stages);
      expect(ends.filter(({ done, of }) => done !== of)).toEqual([]);
      for (const picture of pictures) expect(JSON.stringify(picture).length).toBeLessThan(20_000);
    },
  );

  it.each(types)('$taskType: kept lists of commands equal lists made afresh', ({ task }) => {
    const random = createRandom(3);
    const episode = environment.start(task);
    for (let turn = 0, done = false; turn < 40 && !done; turn++) {
      ({ done } = episode.step(random.pick(episode.observe().availableActions)));
      expect(episode.world.joinAfresh().commands).toEqual(episode.observe().availableActions);
    }
  });
});

const STAGES: Record<string, readonly string[]> = {
  pick_and_place_simple: ['found', 'taken', 'placed'],
  look_at_obj_in_light: ['found', 'taken', 'lit'],
  pick_clean_then_place_in_recep: ['found', 'taken', 'cleaned', 'placed'],
  pick_heat_then_place_in_recep: ['found', 'taken', 'heated', 'placed'],
  pick_cool_then_place_in_recep: ['found', 'taken', 'cooled', 'placed'],
  pick_two_obj_and_place: ['found', 'taken', 'placed'],
};

function playPlan(environment: AlfWorldEnvironment, task: AlfWorldTask) {
  const episode = environment.start(task);
  const pictures = [requirePicture(episode)];
  for (const action of alfWorldExpert.plan(episode).actions ?? []) {
    const { observation } = episode.step(action);
    const picture = requirePicture(episode);
    pictures.push(picture);
    const here = picture.receptacles.find(
      ({ name }) => action === `go to ${name}` || action === `open ${name}`,
    );
    if (here) {
      expect(here.here).toBe(true);
      const seen = observation.text.match(/a ([a-z]+ \d+)/g)?.map((found) => found.slice(2)) ?? [];
      expect(new Set(seen)).toEqual(new Set(here.state === 'closed' ? [] : here.contents));
    }
    const taken = /^take (.+) from/.exec(action)?.[1];
    if (taken !== undefined) expect(picture.holding).toBe(taken);
  }
  return { pictures, stages: STAGES[task.taskType] };
}

function requirePicture(episode: AlfWorldEpisode): Picture {
  const picture = episode.picture();
  if (!picture) throw new Error('no picture');
  return picture;
}
