import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAlfWorld } from '@/rl/environments/alfworld/alfworld';
import { AlfWorldEpisode } from '@/rl/environments/alfworld/episode';
import { alfWorldExpert } from '@/rl/environments/alfworld/expert';
import { alfWorldTask } from '@/rl/environments/alfworld/task';
import { RecordedAlfWorldTranscript } from '@/rl/environments/alfworld/transcript';
import { outsideDataDir } from '../env';
import { listGames } from './game-list';
import { openGameStore } from './game-store';
import { openRecordedGames } from './recorded-games';

const DATA = outsideDataDir();
const GAMES = join(DATA, 'alfworld');
const hasGames = existsSync(GAMES) && spawnSync('xz', ['--version']).status === 0;

const Planned = RecordedAlfWorldTranscript.extend({
  plan: z.array(z.string()).min(1),
  /** Index of the step that the plan begins with. */
  plan_from: z.int().default(14),
});

describe.skipIf(!hasGames)('the expert on the real games (STEPSCOPE_DATA, xz)', () => {
  it.each([
    { folder: 'valid_seen', games: 140 },
    { folder: 'valid_unseen', games: 134 },
  ] as const)('wins every game of $folder in at most 12 commands', ({ folder, games }) => {
    const store = openGameStore(join(GAMES, 'games.tar.xz'));
    const environment = createAlfWorld({ readGame: ({ game }) => store.read(game) });
    const outcomes = listGames(store, folder).tasks.map((task) => {
      const episode = environment.start(task);
      const { actions } = alfWorldExpert.plan(episode);
      const results = (actions ?? []).map((action) => episode.step(action));
      return { id: task.id, turns: results.length, won: results.at(-1)?.success ?? false };
    });
    expect(outcomes).toHaveLength(games);
    expect(outcomes.filter(({ won, turns }) => !won || turns > 12)).toEqual([]);
  });

  it.each([
    'golden_v1_211_planner.jsonl',
    'golden_v2_05_planner.jsonl',
    'alfworld_handover_v1_211.jsonl',
    'alfworld_handover_v2_05.jsonl',
  ])("has plans no longer than Fast Downward's, from states in mid-play of %s", (file) => {
    const openGame = openRecordedGames(GAMES);
    const planned = readFileSync(join(DATA, 'golden', file), 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => Planned.safeParse(JSON.parse(line)).data ?? []);
    expect(planned.length).toBeGreaterThan(5);
    for (const { game, version, steps, plan, plan_from: from } of planned) {
      const episode = new AlfWorldEpisode(alfWorldTask(game), openGame(game, version), { maxTurns: null });
      for (const { cmd } of steps.slice(0, from)) episode.step(cmd);
      const { actions } = alfWorldExpert.plan(episode);
      expect({ game, isShort: actions !== null && actions.length <= plan.length }).toEqual({
        game,
        isShort: true,
      });
    }
  });
});
