/**
 * Replays recorded transcripts against an environment: `npm run env:replay -- ENVIRONMENT FILE...`. For alfworld, `--games
 * PLACE` is where the games lie: a folder with `games.tar.xz` or `json_2.1.1`, or an archive (default: alfworld/ in
 * STEPSCOPE_DATA, whose logic also serves games that come without).
 * Exit code 0 where all agree, 1 on a mismatch, 2 on wrong arguments or a malformed file.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { replayAlfWorldTranscript } from '@/rl/environments/alfworld/transcript';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { replayTranscript } from '@/rl/environments/babyai/transcript';
import { createBabyAiText } from '@/rl/environments/babyai-text/babyai-text';
import { replayTextTranscript } from '@/rl/environments/babyai-text/transcript';
import { openRecordedGames } from './alfworld/recorded-games';
import { outsideDataDir } from './env';
import { replayCommand, type Replayers } from './replay/replay-command';

const RECORDED_GAMES = join(outsideDataDir(), 'alfworld');

const replayers = (games: string): Replayers => ({
  babyai: () => {
    const upstream = createBabyAi({ compat: 'agentgym' });
    return (record) => replayTranscript(upstream, record);
  },
  'babyai-text': () => {
    const upstream = createBabyAiText({ compat: 'upstream' });
    return (record) => replayTextTranscript(upstream, record);
  },
  alfworld: () => {
    const openGame = openRecordedGames(games, [RECORDED_GAMES]);
    return (record) => replayAlfWorldTranscript(openGame, record);
  },
});

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { games: { type: 'string', default: RECORDED_GAMES } },
  });
  const agrees = await replayCommand(positionals, replayers(values.games), console.log);
  process.exitCode = agrees ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
