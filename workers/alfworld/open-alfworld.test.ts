import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallGameText } from '@/rl/environments/alfworld/testing/small-game';
import { ALFWORLD_TASK_TYPES } from '@/contract/environments/alfworld';
import type { LeftOutGame } from './game-list';
import { openAlfWorldFromDisk } from './open-alfworld';

let place: string;
let unreadable: LeftOutGame[];
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'alfworld-'));
  unreadable = [];
});
afterEach(() => rmSync(place, { recursive: true }));

function write(folder: string, trial: string, text: string): void {
  const path = join(place, 'json_2.1.1', folder, 'pick_and_place_simple-Mug-None-Shelf-1', trial);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'game.tw-pddl'), text);
}

const open = () =>
  openAlfWorldFromDisk({
    place,
    taskTypes: ALFWORLD_TASK_TYPES,
    maxTurns: 5,
    onUnreadable: (games) => unreadable.push(...games),
  });

describe('openAlfWorldFromDisk', () => {
  it('plays the games that are there, and names those that cannot be read', async () => {
    write('valid_train', 'trial_1', smallGameText());
    write('valid_seen', 'trial_1', smallGameText());
    write('valid_seen', 'trial_2', smallGameText().slice(0, 100));
    const suite = open();
    const [task] = suite.splitTasks('valid_seen', 1);
    if (!task) throw new Error('no task');
    expect((await suite.environment.start(task)).goal).toBe('put a mug in shelf.');
    expect(suite.trainTask({ runSeed: 1, step: 0, group: 0 }).game).toMatch(/^valid_train\//);
    expect(unreadable.map(({ game }) => game.slice(-7))).toEqual(['trial_2']);
  });

  it('prefers the training games proper', () => {
    write('valid_train', 'trial_1', smallGameText());
    write('train', 'trial_1', smallGameText());
    expect(open().trainTask({ runSeed: 1, step: 0, group: 0 }).game).toMatch(/^train\//);
  });

  it('says what to do where there is none', () => {
    expect(open).toThrow(
      /has no games in train, .*: fetch them \(npm run alfworld:download\) or set ALFWORLD_DATA/,
    );
  });
});
