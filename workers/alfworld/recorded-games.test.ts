import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Game } from '@/rl/environments/alfworld/game';
import { readGameFile } from '@/rl/environments/alfworld/game-file';
import { smallGameText } from '@/rl/environments/alfworld/testing/small-game';
import { replayAlfWorldTranscript } from '@/rl/environments/alfworld/transcript';
import { World } from '@/rl/environments/alfworld/world';
import { outsideDataDir } from '../env';
import { openRecordedGames } from './recorded-games';

const DATA = outsideDataDir();
const GAMES = join(DATA, 'alfworld');
const canUnpack = spawnSync('xz', ['--version']).status === 0;

describe.skipIf(!existsSync(GAMES) || !canUnpack)('transcripts of TextWorld (STEPSCOPE_DATA, xz)', () => {
  let openGame: ReturnType<typeof openRecordedGames>;
  beforeAll(() => {
    openGame = openRecordedGames(GAMES);
  });

  it.each([
    { file: 'golden_v1_211.jsonl', episodes: 60, compared: 6891 },
    { file: 'golden_v1_211_planner.jsonl', episodes: 9, compared: 537 },
    { file: 'golden_v2_05.jsonl', episodes: 60, compared: 7065 },
    { file: 'golden_v2_05_planner.jsonl', episodes: 8, compared: 486 },
    { file: 'alfworld_handover_v1_211.jsonl', episodes: 18, compared: 1569 },
    { file: 'alfworld_handover_v2_05.jsonl', episodes: 18, compared: 1548 },
  ])('$file replays letter by letter', ({ file, episodes, compared }) => {
    const replays = readFileSync(join(DATA, 'golden', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => replayAlfWorldTranscript(openGame, JSON.parse(line)));
    expect(replays.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(replays).toHaveLength(episodes);
    expect(replays.reduce((sum, replay) => sum + replay.compared, 0)).toBe(compared);
  });

  it('finds the logic of v2 beside an archive that is named itself', () => {
    const [line = ''] = readFileSync(join(DATA, 'golden', 'golden_v2_05.jsonl'), 'utf8').split('\n');
    const fromArchive = openRecordedGames(join(GAMES, 'games.tar.xz'));
    expect(replayAlfWorldTranscript(fromArchive, JSON.parse(line)).mismatches).toEqual([]);
  });

  it('names a game that the archive lacks', () => {
    expect(() => openGame('valid_seen/none/trial_1', 'v1')).toThrow(
      /no game valid_seen\/none\/trial_1 in .*games\.tar\.xz/,
    );
  });
});

describe('openRecordedGames', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'games-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const GAME = 'valid_seen/pick_and_place_simple-Mug-None-Shelf-1/trial_1';

  function write(path: string, text: string): void {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The small game below `data`, and a logic that calls its room a hall. */
  function writeGame(logicPlace: string): void {
    const text = smallGameText();
    const { pddl_domain, grammar } = readGameFile(text, GAME);
    write(`data/json_2.1.1/${GAME}/game.tw-pddl`, text);
    write(`${logicPlace}/logic_0.5.0/alfred.pddl`, pddl_domain);
    write(`${logicPlace}/logic_0.5.0/alfred.twl2`, grammar.replace('in a room', 'in a hall'));
  }

  const introOf = (game: Game) => World.start(game).intro();

  it.each([
    { place: 'data', logic: 'data' },
    { place: 'data/json_2.1.1', logic: 'data' },
    { place: 'data', logic: 'elsewhere' },
  ])('plays v2 of games in $place by the logic in $logic', ({ place, logic }) => {
    writeGame(logic);
    const openGame = openRecordedGames(join(folder, place), [join(folder, 'elsewhere')]);
    expect(introOf(openGame(GAME, 'v1'))).toContain('You are in a room');
    expect(introOf(openGame(GAME, 'v2'))).toContain('You are in a hall');
  });

  it('says where there are no games, and where a logic was looked for', () => {
    expect(() => openRecordedGames(join(folder, 'none'))).toThrow(/no ALFWorld games at .*none/);
    const openGame = openRecordedGames(folder, [join(folder, 'elsewhere')]);
    expect(() => openGame(GAME, 'v2')).toThrow(
      /needs logic_0\.5\.0 or logic with .*; there is neither in .*elsewhere/,
    );
  });
});
