/**
 * `npm run demo`: installs and builds what is missing, starts server and worker, launches a run as the form
 * would and follows it. Options: --preset NAME (demo), --seed N (1), --open, --no-follow.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { fail } from './project.mjs';
import { askedToStop, findRunningServer, serveUntilStopped, startStack } from './stack.mjs';

const RECIPE = 'grpo';

function readOptions() {
  try {
    return parseArgs({
      options: {
        preset: { type: 'string', default: 'demo' },
        seed: { type: 'string', default: '1' },
        open: { type: 'boolean', default: false },
        follow: { type: 'boolean', default: true },
      },
      allowNegative: true,
    }).values;
  } catch (error) {
    fail(`${error.message}\nusage: npm run demo -- [--preset NAME] [--seed N] [--open] [--no-follow]`);
  }
}

/** The preset's config with this seed, checked by the recipe's own schema before anything is started. */
async function readLaunch({ preset, seed }) {
  await import('tsx');
  const { parseLaunch, RECIPES } = await import('../contract/recipes/registry.ts');
  const { presets } = RECIPES[RECIPE];
  if (!Object.hasOwn(presets, preset))
    fail(`--preset ${preset}: expected one of ${Object.keys(presets).join(', ')}`);
  try {
    return parseLaunch({
      name: `${preset} seed ${seed}`,
      recipe: RECIPE,
      preset,
      config: { ...presets[preset], seed: Number(seed) },
    });
  } catch (error) {
    fail(error.message);
  }
}

async function launch(url, body) {
  const response = await fetch(`${url}/api/v1/runs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`the launch was refused: ${answer.error.message}`);
  return answer.runId;
}

function openInBrowser(url) {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true })
    .on('error', () => console.log(`No ${program} here; open ${url} yourself.`))
    .unref();
}

const options = readOptions();
await ensureInstall();
const body = await readLaunch(options);
await ensureBuild();

const stopping = askedToStop();
const running = await findRunningServer();
const stack = running ?? (await startStack({ logs: true }).catch((error) => fail(error.message)));
let exitCode = 0;
try {
  const runId = await launch(stack.url, body);
  const page = `${stack.url}/runs/${runId}`;
  console.log(`\nRun ${runId}: ${page}\n`);
  if (options.open) openInBrowser(page);
  if (options.follow) {
    const { followRun } = await import('./follow-run.mjs');
    const ended = new AbortController();
    void stopping.asked.then(() => ended.abort());
    if (!running) void stack.broken.then(() => ended.abort());
    await followRun(stack.url, runId, ended.signal);
    if (!ended.signal.aborted) console.log(`\nThe page stays up: ${page}`);
  }
} catch (error) {
  console.error(error.message);
  exitCode = 1;
}
if (running) process.exit(exitCode);
if (exitCode === 0) process.exit(await serveUntilStopped(stack, stopping));
await stack.stop(stopping.hurry);
process.exit(exitCode);
