import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAlfWorld } from '@/rl/environments/alfworld/alfworld';
import type { AlfWorldEpisode } from '@/rl/environments/alfworld/episode';
import { alfWorldTask } from '@/rl/environments/alfworld/task';
import { outsideDataDir } from '../env';
import { openGameStore } from './game-store';

const ARCHIVE = join(outsideDataDir(), 'alfworld', 'games.tar.xz');
const hasGames = existsSync(ARCHIVE) && spawnSync('xz', ['--version']).status === 0;
const GAME =
  'valid_seen/pick_cool_then_place_in_recep-Apple-None-CounterTop-14/trial_T20190909_044933_815840';

describe.skipIf(!hasGames)('what ALFWorld says of an object that was treated (STEPSCOPE_DATA, xz)', () => {
  const store = openGameStore(ARCHIVE);
  const environment = createAlfWorld({ readGame: ({ game }) => store.read(game), maxTurns: null });
  let episode: AlfWorldEpisode;
  beforeEach(() => {
    episode = environment.start(alfWorldTask(GAME));
  });

  /** Gives commands, each of which must be admissible; the last answer. */
  function play(...commands: readonly string[]): string {
    const answers = commands.map((command) => {
      const { observation, valid } = episode.step(command);
      expect({ command, valid }).toEqual({ command, valid: true });
      return observation.text;
    });
    return answers.at(-1) ?? '';
  }

  /** Goes to where an object is, opens what is closed, and takes it. */
  function take(object: string): void {
    const holder = episode.picture()?.receptacles.find(({ contents }) => contents.includes(object));
    if (!holder) throw new Error(`${object} is nowhere`);
    if (!holder.here) play(`go to ${holder.name}`);
    if (holder.state === 'closed') play(`open ${holder.name}`);
    play(`take ${object} from ${holder.name}`);
  }

  const clean = () => play('go to sinkbasin 1', 'clean apple 1 with sinkbasin 1');
  const heat = () => play('go to microwave 1', 'heat apple 1 with microwave 1');
  const cool = () => play('go to fridge 1', 'cool apple 1 with fridge 1');
  const examine = () => play('examine apple 1');

  it('names the last of heat and cold, with clean where it was cleaned', () => {
    take('apple 1');
    expect(examine()).toBe("There's nothing special about apple 1.");
    cool();
    expect(examine()).toBe('This is a cold apple 1.');
    heat();
    expect(examine()).toBe('This is a hot apple 1.');
    clean();
    expect(examine()).toBe('This is a hot and clean apple 1.');
    cool();
    expect(examine()).toBe('This is a cool and clean apple 1.');
  });

  it('names a sliced object by all that was done to it', () => {
    take('knife 1');
    const holder = episode.picture()?.receptacles.find(({ contents }) => contents.includes('apple 1'));
    if (!holder) throw new Error('no apple');
    if (!holder.here) play(`go to ${holder.name}`);
    expect(play('slice apple 1 with knife 1')).toBe('You sliced the apple 1 with the knife 1.');
    const drop = episode.observe().availableActions.find((action) => /^put knife 1 in\/on/.test(action));
    if (drop) play(drop);
    else play('go to countertop 1', 'put knife 1 in/on countertop 1');
    take('apple 1');
    expect(examine()).toBe('This is a sliced apple 1.');
    cool();
    expect(examine()).toBe('This is a cool sliced apple 1.');
    heat();
    expect(examine()).toBe('This is a hot sliced apple 1.');
    clean();
    expect(examine()).toBe('This is a hot and clean sliced apple 1.');
    cool();
    expect(examine()).toBe('This is a cool and clean sliced apple 1.');
  });
});
