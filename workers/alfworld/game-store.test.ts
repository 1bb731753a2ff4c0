import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayHoldGames, openGameStore } from './game-store';

let root: string;
let place: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'store-'));
  place = join(root, 'data');
  mkdirSync(place);
});
afterEach(() => rmSync(root, { recursive: true }));

const NAME = 'pick_and_place_simple-Mug-None-Shelf-1';

function writeGame(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'game.tw-pddl'), 'a game');
}

describe('openGameStore', () => {
  it('follows links to folders, and passes over those that lead nowhere', () => {
    const real = join(root, 'real');
    writeGame(join(real, NAME, 'trial_1'));
    mkdirSync(join(place, 'valid_seen', 'pick_two'), { recursive: true });
    symlinkSync(join(real, NAME), join(place, 'valid_seen', NAME));
    symlinkSync(join(real, NAME, 'trial_1'), join(place, 'valid_seen', 'pick_two', 'trial_9'));
    symlinkSync(join(root, 'none'), join(place, 'valid_seen', 'gone'));
    symlinkSync(real, join(place, 'valid_unseen'));
    const store = openGameStore(place);
    expect(store.list('valid_seen').map(({ game }) => game)).toEqual([
      `valid_seen/${NAME}/trial_1`,
      'valid_seen/pick_two/trial_9',
    ]);
    expect(store.list('valid_unseen')).toHaveLength(1);
    expect(store.read('valid_seen/pick_two/trial_9')).toBe('a game');
  });

  it.each(['valid_seen/../..', '../real/trial_1', 'valid_seen/./trial_1', 'a/b', 'a/b/c/d', 'a\\..\\../b/c'])(
    'does not look for the game %j, which may lie outside',
    (game) => {
      writeGame(join(root, 'real', 'trial_1'));
      writeGame(root);
      mkdirSync(join(place, 'valid_seen'));
      expect(() => openGameStore(place).read(game)).toThrow(
        `${JSON.stringify(game)} names no game: expected FOLDER/NAME/TRIAL`,
      );
    },
  );

  it('names a game file that is a folder', () => {
    const path = join(place, 'valid_seen', NAME, 'trial_1', 'game.tw-pddl');
    mkdirSync(path, { recursive: true });
    expect(() => openGameStore(place).read(`valid_seen/${NAME}/trial_1`)).toThrow(`${path} is not a file`);
  });
});

describe('mayHoldGames', () => {
  it.each(['json_2.1.1/train', 'json_2.1.1/valid_train', 'valid_seen', 'valid_unseen'])(
    'expects games in a folder with %s',
    (folder) => {
      mkdirSync(join(place, folder), { recursive: true });
      expect(mayHoldGames(place)).toBe(true);
    },
  );

  it.each(['games.tar', 'games.tar.gz', 'games.tar.xz'])('expects games in %s', (name) => {
    expect(mayHoldGames(join(root, name))).toBe(false);
    writeFileSync(join(root, name), '');
    expect(mayHoldGames(join(root, name))).toBe(true);
  });

  it('expects none in a folder without, in other files, and where there is nothing', () => {
    expect(mayHoldGames(place)).toBe(false);
    mkdirSync(join(place, 'downloads'));
    mkdirSync(join(place, 'json_2.1.1'));
    expect(mayHoldGames(place)).toBe(false);
    writeFileSync(join(place, 'train'), '');
    expect(mayHoldGames(join(place, 'train'))).toBe(false);
    expect(mayHoldGames(join(root, 'none'))).toBe(false);
  });
});
