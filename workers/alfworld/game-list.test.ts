import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { smallGameText } from '@/rl/environments/alfworld/testing/small-game';
import { splitHash } from '@/rl/environments/split-hash';
import { outsideDataDir } from '../env';
import { countReasons, listGames } from './game-list';
import { openGameStore, type GameStore } from './game-store';

const GAMES = join(outsideDataDir(), 'alfworld');
const canUnpack = spawnSync('xz', ['--version']).status === 0;

describe.skipIf(!existsSync(GAMES) || !canUnpack)(
  "upstream's filter on the real games (STEPSCOPE_DATA, xz)",
  () => {
    let store: GameStore;
    beforeAll(() => {
      store = openGameStore(join(GAMES, 'games.tar.xz'));
    });

    it.each([
      { folder: 'valid_seen', counts: [35, 13, 27, 16, 25, 24] },
      { folder: 'valid_unseen', counts: [24, 18, 31, 23, 21, 17] },
    ] as const)('$folder has the published number of games of each type', ({ folder, counts }) => {
      const { tasks, leftOut } = listGames(store, folder);
      const types = [
        'pick_and_place_simple',
        'look_at_obj_in_light',
        'pick_clean_then_place_in_recep',
        'pick_heat_then_place_in_recep',
        'pick_cool_then_place_in_recep',
        'pick_two_obj_and_place',
      ];
      expect(types.map((type) => tasks.filter(({ taskType }) => taskType === type).length)).toEqual(counts);
      expect(leftOut.filter(({ reason }) => reason === 'unreadable')).toEqual([]);
      expect(tasks.map(({ game }) => game)).toEqual(tasks.map(({ game }) => game).sort());
    });

    it('lists 140, 134 and 200 games, by the same hash from archive and folder', () => {
      const sizes = (['valid_seen', 'valid_unseen', 'valid_train'] as const).map(
        (folder) => listGames(store, folder).tasks.length,
      );
      expect(sizes).toEqual([140, 134, 200]);
      const unpacked = listGames(openGameStore(GAMES), 'valid_seen');
      expect(unpacked.tasks).toHaveLength(12);
      const same = listGames(store, 'valid_seen').tasks.filter(({ id }) =>
        unpacked.tasks.some((task) => task.id === id),
      );
      expect(splitHash(same)).toBe(unpacked.hash);
    });
  },
);

describe('listGames', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'alfworld-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(game: string, files: Record<string, string>): void {
    const folder = join(root, 'json_2.1.1', game);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  }

  const playable = { 'game.tw-pddl': smallGameText(), 'traj_data.json': '{}' };

  it('plays the games that pass, by path, and names each of the others with its reason', () => {
    const unsolvable = { ...JSON.parse(smallGameText()), solvable: false };
    const untried = { ...JSON.parse(smallGameText()), solvable: undefined };
    write('valid_seen/pick_two_obj_and_place-B-None-C-1/trial_2', playable);
    write('valid_seen/pick_two_obj_and_place-B-None-C-1/trial_1', playable);
    write('valid_seen/look_at_obj_in_light-A-None-DeskLamp-1/trial_1', { 'game.tw-pddl': smallGameText() });
    write('valid_seen/pick_and_place_with_movable_recep-A-Cup-B-1/trial_1', playable);
    write('valid_seen/pick_heat_then_place_in_recep-AppleSliced-None-B-1/trial_1', playable);
    write('valid_seen/fly_away-A-None-B-1/trial_1', playable);
    write('valid_seen/pick_and_place_simple-A-None-B-1/trial_1', { 'traj_data.json': '{}' });
    write('valid_seen/pick_and_place_simple-A-None-B-1/trial_2', {
      'game.tw-pddl': JSON.stringify(unsolvable),
    });
    write('valid_seen/pick_and_place_simple-A-None-B-1/trial_3', { 'game.tw-pddl': JSON.stringify(untried) });
    write('valid_seen/pick_and_place_simple-A-None-B-1/trial_4', { 'game.tw-pddl': '{"pddl_domain": "(de' });
    write('valid_seen/pick_and_place_simple-A-None-B-1/notes', { 'readme.txt': '' });
    const { tasks, leftOut, hash } = listGames(openGameStore(root), 'valid_seen');
    expect(tasks.map(({ id }) => id)).toEqual([
      'alfworld/valid_seen/look_at_obj_in_light-A-None-DeskLamp-1/trial_1',
      'alfworld/valid_seen/pick_two_obj_and_place-B-None-C-1/trial_1',
      'alfworld/valid_seen/pick_two_obj_and_place-B-None-C-1/trial_2',
    ]);
    expect(hash).toBe(splitHash(tasks));
    expect(leftOut.map(({ game, reason }) => [game.replace('valid_seen/', ''), reason])).toEqual([
      ['fly_away-A-None-B-1/trial_1', 'task type that is not played'],
      ['pick_and_place_simple-A-None-B-1/trial_1', 'no game file'],
      ['pick_and_place_simple-A-None-B-1/trial_2', 'not solvable'],
      ['pick_and_place_simple-A-None-B-1/trial_3', 'no solvable key'],
      ['pick_and_place_simple-A-None-B-1/trial_4', 'unreadable'],
      ['pick_and_place_with_movable_recep-A-Cup-B-1/trial_1', 'movable receptacle or sliced object'],
      ['pick_heat_then_place_in_recep-AppleSliced-None-B-1/trial_1', 'movable receptacle or sliced object'],
    ]);
    expect(leftOut[4]?.detail).toMatch(/trial_4 is not JSON: /);
    expect(countReasons(leftOut).get('movable receptacle or sliced object')).toBe(2);
  });

  it('leaves out a game whose file is a folder, and plays the others', () => {
    write('valid_seen/pick_two_obj_and_place-B-None-C-1/trial_1', playable);
    write('valid_seen/pick_two_obj_and_place-B-None-C-1/trial_2/game.tw-pddl', {});
    const { tasks, leftOut } = listGames(openGameStore(root), 'valid_seen');
    expect(tasks).toHaveLength(1);
    expect(leftOut).toMatchObject([{ reason: 'unreadable' }]);
    expect(leftOut[0]?.detail).toMatch(/trial_2\/game\.tw-pddl is not a file$/);
  });

  it('finds malformed rules where it is thorough', () => {
    const game = 'valid_unseen/pick_and_place_simple-A-None-B-1/trial_1';
    write(game, { 'game.tw-pddl': smallGameText({ pddl_problem: '(define (problem one)' }) });
    expect(listGames(openGameStore(root), 'valid_unseen').tasks).toHaveLength(1);
    const { tasks, leftOut } = listGames(openGameStore(root), 'valid_unseen', { thorough: true });
    expect(tasks).toEqual([]);
    expect(leftOut).toEqual([
      {
        game,
        reason: 'unreadable',
        detail: `${game}: pddl_problem, line 1: this parenthesis is never closed`,
      },
    ]);
  });

  it('lists nothing where a folder is not there', () => {
    write('valid_seen/pick_two_obj_and_place-B-None-C-1/trial_1', playable);
    expect(listGames(openGameStore(root), 'train')).toMatchObject({ tasks: [], leftOut: [] });
  });
});
