/**
 * Fetches ALFWorld's official archives: `npm run alfworld:download -- [--data DIR] [--games-only] [--from URL]`.
 * Exit codes: 0 fetched, 1 failed (what has come is kept; run it again), 2 wrong arguments, 130 interrupted.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@/contract/errors';
import { formatBytes } from '@/contract/format';
import { ALFWORLD_FOLDERS, type AlfWorldFolder } from '@/rl/environments/alfworld/task';
import { alfWorldDataDir } from '../env';
import { countReasons, listGames } from './game-list';
import { openGameStore } from './game-store';
import {
  adviceByHand,
  fetchArchives,
  GAMES_ARCHIVE,
  OFFICIAL_ARCHIVES,
  OFFICIAL_RELEASES,
} from './official-archives';

/** Bytes between two lines of progress where the output is no terminal. */
const PROGRESS_BYTES = 16_000_000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      from: { type: 'string', default: OFFICIAL_RELEASES },
      'games-only': { type: 'boolean', default: false },
    },
  });
  const archives = values['games-only'] ? [GAMES_ARCHIVE] : OFFICIAL_ARCHIVES;
  return { dataDir: values.data ? resolve(values.data) : alfWorldDataDir(), from: values.from, archives };
}

function progress(): (received: number, total: number | null) => void {
  let shown = 0;
  return (received, total) => {
    if (received < shown) shown = 0;
    const isDone = received === total;
    if (!isDone && received - shown < PROGRESS_BYTES) return;
    shown = received;
    console.log(`  ${formatBytes(received)}${total === null ? '' : ` of ${formatBytes(total)}`}`);
  };
}

/** Says how many games of each folder are played, and names those that cannot be read. */
function reportGames(dataDir: string): void {
  const store = openGameStore(dataDir);
  for (const folder of Object.keys(ALFWORLD_FOLDERS) as AlfWorldFolder[]) {
    const { tasks, leftOut, hash } = listGames(store, folder, { thorough: true });
    if (tasks.length + leftOut.length === 0) continue;
    const reasons = [...countReasons(leftOut)].map(([reason, count]) => `${count} ${reason}`).join(', ');
    console.log(`${folder}: ${tasks.length} games (list ${hash}); left out: ${reasons || 'none'}`);
    for (const { game, reason, detail } of leftOut) {
      if (reason === 'unreadable') console.log(`  ${game}: ${detail}`);
    }
  }
}

async function main(): Promise<number> {
  const { dataDir, from, archives } = readOptions();
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  console.log(`ALFWorld's archives go to ${dataDir}`);
  try {
    await fetchArchives({
      dataDir,
      from,
      archives,
      say: console.log,
      onProgress: progress(),
      signal: interrupt.signal,
    });
  } catch (error) {
    if (interrupt.signal.aborted) return 130;
    if (!(error instanceof AppError)) throw error;
    console.error(error.message);
    if (error.code === 'unavailable') console.error(adviceByHand(dataDir, archives));
    return 1;
  }
  reportGames(dataDir);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
