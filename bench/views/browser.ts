import { chromium, type Browser, type Page } from '@playwright/test';
import { loadavg } from 'node:os';
import { ensureChromium } from '../../scripts/chromium.mjs';
import type { Filled } from './fill';

/** In ms; times from the opening of the page. */
export interface BrowserFigures {
  bare_page_ms: number;
  runs_page_ms: number;
  run_first_chart_ms: number;
  run_all_charts_ms: number;
  trajectories_page_ms: number;
  transcript_open_ms: number;
  longest_task_ms: number;
}

const VIEWPORT = { width: 1440, height: 900 };
const SCROLLS = 15;
const SCROLL_PX = 900;
const SETTLE_MS = 500;

/** A view, what shows that it can be used, and what its reader does then. */
interface View {
  name: Exclude<keyof BrowserFigures, 'longest_task_ms'>;
  path: string;
  /** Selector of what the view is opened for. */
  useful: string;
  use?: (page: Page) => Promise<void>;
}

function viewsOf({ heavyRunId, playedRunId, longTrajectoryId }: Filled): View[] {
  const scroll = async (page: Page) => {
    await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2);
    for (let time = 0; time < SCROLLS; time++) {
      await page.mouse.wheel(0, SCROLL_PX);
      await page.waitForTimeout(60);
    }
  };
  return [
    { name: 'bare_page_ms', path: '/nothing-here', useful: 'main a, main p' },
    {
      name: 'runs_page_ms',
      path: '/runs',
      useful: 'tr[data-run]',
      use: async (page) => {
        await scroll(page);
        await page.evaluate(() => window.scrollTo(0, 0));
        await page.getByRole('searchbox').pressSequentially('penalty 12', { delay: 60 });
      },
    },
    {
      name: 'run_first_chart_ms',
      path: `/runs/${heavyRunId}`,
      useful: '[role="img"][aria-label*=" points"]',
      use: scroll,
    },
    {
      name: 'run_all_charts_ms',
      path: `/runs/${heavyRunId}?tab=charts`,
      useful: '[role="img"][aria-label*=" points"]',
      use: scroll,
    },
    {
      name: 'trajectories_page_ms',
      path: `/runs/${playedRunId}/trajectories`,
      useful: 'td a[href^="/trajectories/"]',
      use: async (page) => {
        await scroll(page);
        await page.evaluate(() => window.scrollTo(0, 0));
        await page.getByRole('searchbox').pressSequentially('red ball', { delay: 60 });
        await page.locator('mark').first().waitFor();
      },
    },
    {
      name: 'transcript_open_ms',
      path: `/trajectories/${longTrajectoryId}`,
      useful: 'ol[aria-label="Turns"] h3',
      use: async (page) => {
        for (let turn = 0; turn < 10; turn++) {
          await page.keyboard.press('j');
          await page.waitForTimeout(120);
        }
        await scroll(page);
      },
    },
  ];
}

/** Opens every view once a round, each time in a fresh context: nothing is cached but what the server keeps. */
export async function measureBrowser(
  url: string,
  filled: Filled,
  rounds: number,
  tell: (line: string) => void,
): Promise<BrowserFigures[]> {
  const executablePath = await ensureChromium();
  if (!executablePath) throw new Error('no Chromium to measure with');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const figures: BrowserFigures[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      figures.push(await measureRound(browser, url, filled));
      tell(`browser, round ${round}: ${JSON.stringify(figures.at(-1))} load ${loadavg()[0]?.toFixed(2)}`);
    }
  } finally {
    await browser.close();
  }
  return figures;
}

async function measureRound(browser: Browser, url: string, filled: Filled): Promise<BrowserFigures> {
  const figures: Partial<BrowserFigures> = {};
  let longest = 0;
  for (const view of viewsOf(filled)) {
    const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await page.goto(`${url}${view.path}`, { waitUntil: 'commit' });
    figures[view.name] = Math.round(await usefulAt(page, view.useful));
    await page.waitForTimeout(SETTLE_MS);
    await view.use?.(page);
    await page.waitForTimeout(SETTLE_MS);
    const task = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
    if (process.env.BENCH_VERBOSE)
      console.log(`  ${view.name} ${figures[view.name]} ms, longest task ${task} ms`);
    longest = Math.max(longest, task);
    await context.close();
  }
  return { ...figures, longest_task_ms: longest } as BrowserFigures;
}

/** Lengths of the page's tasks of more than 50 ms, as the browser tells them. */
function watchTasks(): void {
  const tasks: number[] = [];
  Object.assign(window, { tasks });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tasks.push(entry.duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** When the selector first matched something painted, ms after the navigation began. */
async function usefulAt(page: Page, selector: string): Promise<number> {
  const handle = await page.waitForFunction(
    (wanted) =>
      (document.querySelector(wanted)?.getBoundingClientRect().height ?? 0) > 0 && performance.now(),
    selector,
    { polling: 'raf', timeout: 60_000 },
  );
  return Number(await handle.jsonValue());
}
