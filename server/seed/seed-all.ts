import type { ImportTarget } from '../importers/import-source';
import { findRunsNamed } from './find-runs';
import { headlineLinks, seedPublished } from './published';
import { seedRuns, type SeededRun } from './runs';
import { SEED_MARK } from './storyteller';
import { seedTrainedRun, TRAINED_SEEDS } from './trained';
import { probeIndex } from '../trajectories/queries';

/** A screen that the seeded data fills. */
export interface SeededLink {
  /** Path and query. */
  address: string;
  shows: string;
}

/**
 * Fills a database for every screen and answers where to look. What an earlier call made is found, not made again; what cannot
 * be made is said by `tell`.
 */
export async function seedAll(
  target: ImportTarget,
  home: string,
  publishedFolder: string,
  tell: (line: string) => void,
): Promise<SeededLink[]> {
  const published = await seedPublished(target, publishedFolder);
  for (const line of published.missing) tell(`left out: ${line}`);
  const trained: string[] = [];
  for (const seed of TRAINED_SEEDS) trained.push(await seedTrainedRun(target, home, seed, tell));
  const told = await toldRuns(target);
  const path = (runId: string) => `/runs/${encodeURIComponent(runId)}`;
  const capable = published.runs.get('babyai-text-rl-opd.txt v3.2');
  return [
    { address: '/runs', shows: 'all runs' },
    { address: '/imports', shows: 'what was imported, left out and refused' },
    ...headlineLinks(published),
    ...(capable === undefined
      ? []
      : [
          {
            address: `${path(capable)}?tab=evaluations`,
            shows: 'general capability beside the agent’s scores',
          },
        ]),
    ...(await trainedLinks(target, trained)),
    ...told.map(({ runId, shows }) => ({ address: path(runId), shows })),
  ];
}

/** The invented runs of an earlier call, or new ones. */
async function toldRuns({ database, now }: ImportTarget): Promise<SeededRun[]> {
  const earlier = await findRunsNamed(database, SEED_MARK);
  if (earlier.length === 0) return seedRuns(database, now);
  return earlier.map(({ id, name }) => ({ runId: id, shows: name.slice(0, -SEED_MARK.length).trim() }));
}

async function trainedLinks({ database }: ImportTarget, trained: readonly string[]): Promise<SeededLink[]> {
  const [first, second] = trained;
  if (first === undefined || second === undefined) return [];
  const path = `/runs/${encodeURIComponent(first)}`;
  const { steps, tasks } = await probeIndex(database, first);
  const from = steps[0] ?? 0;
  const to = steps.at(-1) ?? 0;
  const checkpoint = (runId: string, step: number) => `c=${encodeURIComponent(`${runId}@${step}`)}`;
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT "id"::text FROM "Trajectory" WHERE "runId" = $1 AND "phase" = 'train' ORDER BY "id" LIMIT 1`,
    [first],
  );
  const trajectory = rows[0]?.id;
  return [
    { address: path, shows: 'a run trained here, with trajectories and checkpoints' },
    { address: `${path}/trajectories?step=${from}`, shows: 'its trajectories of a step' },
    ...(trajectory === undefined ? [] : [{ address: `/trajectories/${trajectory}`, shows: 'one of them' }]),
    {
      address: `${path}/pair?task=${encodeURIComponent(tasks[0]?.taskId ?? '')}&a=${from}&b=${to}`,
      shows: 'the same task at its first and last checkpoint',
    },
    { address: `${path}/probe?a=${from}&b=${to}`, shows: 'step 1 vs step N over its probe' },
    {
      address: `/compare?${[checkpoint(first, from), checkpoint(first, 2), checkpoint(first, to)].join('&')}`,
      shows: 'three of its checkpoints on both splits',
    },
    {
      address: `/compare?${checkpoint(first, to)}&${checkpoint(second, to)}`,
      shows: 'its last checkpoint and that of another training seed',
    },
    { address: `/config-diff?a=${first}&b=${second}`, shows: 'what their configs differ by' },
  ];
}
