/**
 * How long the views of a full workbench take: 10,000 runs listed, filtered and ordered; a run of a million points and
 * 3,000 series; 100,000 trajectories filtered and searched, their texts real ones; a transcript of 50 turns of 12,000
 * tokens. Of the server the 95th percentile of warm requests, one at a time; of a browser the time from opening a page to
 * its first useful paint, and the longest task of all pages with their scrolling and typing. Each figure is the median of
 * five rounds. Baselines within the same run: the health route, and a page that shows next to nothing.
 *
 * Usage: npm run bench -- views [--runs 10000] [--trajectories 100000] [--points 1000000] [--rounds 5] [--reuse] [--only server|browser]
 * `--reuse` measures on the database that an earlier run of the bench has filled.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { migrate } from '@/prisma/migrate';
import { closeDatabase, openDatabase } from '@/server/database';
import { startEmbeddedPostgres } from '@/server/postgres/embedded';
import { startProgram, stopProgram } from '../scripts/children.mjs';
import { ensureBuild } from '../scripts/ensure-build.mjs';
import { measureBrowser } from './views/browser';
import { fill, type Filled } from './views/fill';
import { measureServer, type ServerFigures } from './views/server';

const SERVER_READY_MS = 120_000;
const SERVER_GRACE_MS = 20_000;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    trajectories: { type: 'string', default: '100000' },
    points: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    reuse: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const sizes = {
  runs: Number(values.runs),
  points: Number(values.points),
  series: 3000,
  trajectories: Number(values.trajectories),
  turns: 50,
  tokensEach: 12_000,
};
const rounds = Number(values.rounds);
const home = join(process.cwd(), '.stepscope', 'bench', 'views');
const filledFile = join(home, 'filled.json');

const began = Date.now();
const tell = (line: string) => console.log(`${((Date.now() - began) / 1000).toFixed(0)} s: ${line}`);

async function prepare(): Promise<Filled> {
  if (values.reuse && existsSync(filledFile)) return JSON.parse(readFileSync(filledFile, 'utf8')) as Filled;
  rmSync(home, { recursive: true, force: true });
  const postgres = await startEmbeddedPostgres(home);
  try {
    await migrate(postgres.url);
    const database = await openDatabase(postgres.url);
    const filled = await fill(database, sizes, tell);
    await closeDatabase(database);
    writeFileSync(filledFile, JSON.stringify(filled));
    return filled;
  } finally {
    await postgres.stop();
  }
}

/** The server as `npm start` has it, on the data folder of this bench. */
async function startServer() {
  const port = Number(process.env.PORT ?? 4805);
  const program = startProgram(
    'server',
    ['server/main.ts', ...(values.only === 'server' ? ['--no-pages'] : [])],
    {
      env: { ...process.env, STEPSCOPE_HOME: home, PORT: String(port), NODE_ENV: 'production' },
      logFile: join(home, 'server.log'),
    },
  );
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + SERVER_READY_MS;
  while (Date.now() < deadline && program.isRunning()) {
    const answered = await fetch(`${url}/api/v1/health`).catch(() => null);
    if (answered?.ok) return { url, stop: () => stopProgram(program, SERVER_GRACE_MS) };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await stopProgram(program, SERVER_GRACE_MS);
  throw new Error(`the server did not answer; see ${join(home, 'server.log')}`);
}

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** Of each figure the median over the rounds. */
function medians<Figures extends object>(rounds: readonly Figures[]): Record<keyof Figures & string, number> {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures & string)[];
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => Number(round[name])))]),
  ) as Record<keyof Figures & string, number>;
}

if (values.only !== 'server') await ensureBuild();
const filled = await prepare();
const server = await startServer();
const figures: Record<string, number> = {};
try {
  if (values.only !== 'browser') {
    const asked: ServerFigures[] = [];
    for (let round = 1; round <= rounds; round++) {
      asked.push(await measureServer(server.url, filled));
      tell(`server, round ${round}: ${JSON.stringify(asked.at(-1))} load ${loadavg()[0]?.toFixed(2)}`);
    }
    Object.assign(figures, medians(asked));
  }
  if (values.only !== 'server')
    Object.assign(figures, medians(await measureBrowser(server.url, filled, rounds, tell)));
} finally {
  await server.stop();
}

for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value.toFixed(1)} ms`);
console.log(
  `baselines: health p95 ${figures['health_p95_ms']?.toFixed(1)} ms, a bare page ${figures['bare_page_ms']?.toFixed(0)} ms`,
);
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(2))
    .join(' ')}`,
);
for (const name of [
  'runs_list_p95_ms',
  'run_first_chart_ms',
  'trajectory_search_p95_ms',
  'transcript_open_ms',
  'longest_task_ms',
])
  if (figures[name] !== undefined) console.log(`FIGURE ${name}=${figures[name].toFixed(1)} ms`);
