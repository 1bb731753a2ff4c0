import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { replayAlfWorldTranscript } from '@/rl/environments/alfworld/transcript';
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

  it('names a game that the archive lacks', () => {
    expect(() => openGame('valid_seen/none/trial_1', 'v1')).toThrow(
      /no game valid_seen\/none\/trial_1 in .*games\.tar\.xz/,
    );
  });
});

describe('openRecordedGames', () => {
  it('says where there are no games, and which logic is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'games-'));
    expect(() => openRecordedGames(join(folder, 'none'))).toThrow(/no ALFWorld games at .*none/);
    expect(() => openRecordedGames(folder)('valid_seen/a/b', 'v2')).toThrow(/has no logic_0\.5\.0 or logic/);
    rmSync(folder, { recursive: true });
  });
});
