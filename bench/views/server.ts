import type { Filled } from './fill';

/** 95th percentiles of warm requests, in ms. */
export interface ServerFigures {
  health_p95_ms: number;
  runs_list_p95_ms: number;
  runs_summary_p95_ms: number;
  trajectory_list_p95_ms: number;
  trajectory_search_p95_ms: number;
  trajectory_summary_p95_ms: number;
  run_detail_p95_ms: number;
  run_series_p95_ms: number;
}

const REQUESTS = 60;
const WARM_UP = 12;

const RUN_LISTS = [
  '',
  'sort=best',
  'sort=reward&direction=asc',
  'sort=name&direction=asc',
  'status=failed,lost',
  'text=penalty+dapo',
  'kind=import&environment=babyai&sort=started',
  'recipe=strata&sort=step',
];
const FILTERS = [
  '',
  'success=false',
  'order=reward',
  'phase=train&step=70',
  'minTurns=4&maxTurns=6&order=tokens',
  'stopReason=turn_limit&flag=history_rewritten',
];
/** From words of nearly every turn to words of one text in four hundred; a phrase, a beginning, and what is nowhere. */
const SEARCHES = [
  'door',
  'you',
  'red ball',
  '"grey key"',
  'fridge lamp',
  'refrig*',
  'purple box pickup',
  'toilet*',
  'zebra',
];

/** Requests of each kind one at a time, after some that warm caches. */
export async function measureServer(
  url: string,
  { heavyRunId, playedRunId }: Filled,
): Promise<ServerFigures> {
  const lists = [`/trajectories?`, `/runs/${playedRunId}/trajectories?`];
  const searches = SEARCHES.flatMap((text) => lists.map((list) => `${list}text=${encodeURIComponent(text)}`));
  const p95 = (paths: readonly string[]) => percentile(`${url}/api/v1`, paths);
  return {
    health_p95_ms: await p95(['/health']),
    runs_list_p95_ms: await p95(
      await withNextPages(
        `${url}/api/v1`,
        RUN_LISTS.map((query) => `/runs?limit=100&${query}`),
      ),
    ),
    runs_summary_p95_ms: await p95(['/runs/summary', '/runs/summary?text=penalty']),
    trajectory_list_p95_ms: await p95(
      FILTERS.flatMap((query) => lists.map((list) => `${list}limit=100&${query}`)),
    ),
    trajectory_search_p95_ms: await p95(searches.map((path) => `${path}&limit=100`)),
    trajectory_summary_p95_ms: await p95(searches.map((path) => path.replace('?', '/summary?'))),
    run_detail_p95_ms: await p95([`/runs/${heavyRunId}`]),
    run_series_p95_ms: await p95([
      `/runs/${heavyRunId}/series?name=reward%2Fmean&name=actor%2Fentropy&name=rollout%2Fsuccess_rate`,
    ]),
  };
}

/** Each list, and the page after its first. */
async function withNextPages(base: string, paths: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(
    paths.map(async (path) => {
      const rows = (await (await fetch(`${base}${path}`)).json()) as { cursor: string }[];
      const cursor = rows.at(-1)?.cursor;
      return cursor === undefined ? [path] : [path, `${path}&after=${encodeURIComponent(cursor)}`];
    }),
  );
  return pages.flat();
}

async function percentile(base: string, paths: readonly string[]): Promise<number> {
  const times: { path: string; ms: number }[] = [];
  for (let request = 0; request < WARM_UP + Math.max(REQUESTS, 2 * paths.length); request++) {
    const path = paths[request % paths.length] ?? '';
    const start = performance.now();
    const response = await fetch(`${base}${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    if (request >= Math.max(WARM_UP, paths.length)) times.push({ path, ms: performance.now() - start });
  }
  times.sort((one, other) => one.ms - other.ms);
  const at = times[Math.ceil(times.length * 0.95) - 1];
  const worst = times.at(-1);
  if (process.env.BENCH_VERBOSE)
    console.log(
      `  p95 ${at?.ms.toFixed(1)} ms at ${at?.path}; worst ${worst?.ms.toFixed(1)} ms at ${worst?.path}`,
    );
  return at?.ms ?? NaN;
}
