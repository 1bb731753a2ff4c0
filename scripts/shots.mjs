/**
 * `npm run shots -- [--url URL]`: every screen in light and dark into docs/screens/, taken from the given server
 * or the one that runs on this data folder. `npm run db:seed` fills one with runs worth looking at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { fail, ROOT } from './project.mjs';
import { findRunningServer } from './stack.mjs';

const FOLDER = join(ROOT, 'docs', 'screens');
const VIEWPORT = { width: 1440, height: 900 };
/** Charts draw after their data has come. */
const SETTLE_MS = 1_000;

async function getJson(url) {
  const response = await fetch(url);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${url}: ${answer.error.message}`);
  return answer;
}

/** Screens by name, with the run that has most to show: most steps, and a probe where there is one. */
async function listScreens(url) {
  const api = `${url}/api/v1`;
  const runs = (await getJson(`${api}/runs`)).sort((a, b) => b.step - a.step);
  const screens = { runs: '/runs', launch: '/launch', workers: '/workers' };
  const run = runs[0];
  if (!run) return screens;
  screens.run = `/runs/${run.id}`;
  const { trajectories } = await getJson(`${api}/runs/${run.id}/trajectories?limit=1`);
  if (trajectories[0]) {
    screens.trajectories = `/runs/${run.id}/trajectories`;
    screens.trajectory = `/trajectories/${trajectories[0].id}`;
  }
  for (const { id } of runs) {
    const { steps, tasks } = await getJson(`${api}/runs/${id}/probe`);
    if (steps.length < 2 || !tasks[0]) continue;
    const query = new URLSearchParams({ task: tasks[0].taskId, a: steps[0], b: steps.at(-1) });
    screens.pair = `/runs/${id}/pair?${query}`;
    break;
  }
  return screens;
}

const { values } = parseArgs({ options: { url: { type: 'string' } } });
await ensureInstall();
const url = values.url ?? (await findRunningServer())?.url;
if (!url) fail('no server runs on this data folder: npm start, or give --url');
const executablePath = await ensureChromium();
if (!executablePath) process.exit(1);
const { chromium } = await import('@playwright/test');

mkdirSync(FOLDER, { recursive: true });
const screens = await listScreens(url);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: VIEWPORT, colorScheme, reducedMotion: 'reduce' });
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(`${url}${path}`, { waitUntil: 'load' });
      await page.waitForTimeout(SETTLE_MS);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`) });
    }
    await page.close();
  }
} finally {
  await browser.close();
}
console.log(`${Object.keys(screens).length} screens, light and dark, in ${FOLDER}`);
