import { RESUME_CHECKPOINT, type ResumeCheckpoint } from '../checkpoints/resume-point';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent } from '../runs/locked-run';
import type { SweptRun } from './sweep';

const WAITING = 'Waiting: ';

interface QueuedRun {
  id: string;
  reason: string | null;
  recipe: string;
  engine: string;
  step: number | null;
  locations: ResumeCheckpoint['locations'] | null;
}

interface ConnectedWorker {
  id: string;
  engines: string[];
  recipes: string[];
}

/** Says of each queued run that no connected worker can take why that is, and takes it back once one can. */
export async function explainWaiting(database: Database): Promise<SweptRun[]> {
  const { rows: queued } = await database.pool.query<QueuedRun>(
    `SELECT run."id", run."reason", run."recipe", run."engine", checkpoint."step", checkpoint."locations"
     FROM "Run" run LEFT JOIN ${RESUME_CHECKPOINT} checkpoint ON true WHERE run."status" = 'queued'
     ORDER BY run."number"`,
  );
  if (queued.length === 0) return [];
  const { rows: connected } = await database.pool.query<ConnectedWorker>(
    `SELECT "id", "engines", "recipes" FROM "Worker" WHERE "connected"`,
  );
  const explained: SweptRun[] = [];
  for (const run of queued) {
    const obstacle = findObstacle(run, connected);
    if (obstacle === null && !run.reason?.startsWith(WAITING)) continue;
    const reason = obstacle === null ? null : WAITING + obstacle;
    if (reason !== run.reason) explained.push(await giveReason(database, run.id, reason));
  }
  return explained;
}

/** What keeps every connected worker from a queued run; null where one could take it. */
function findObstacle(run: QueuedRun, connected: readonly ConnectedWorker[]): string | null {
  const able = connected.filter(
    (worker) => worker.engines.includes(run.engine) && worker.recipes.includes(run.recipe),
  );
  if (able.length === 0) return `no connected worker has engine ${run.engine} and recipe ${run.recipe}`;
  if (!run.locations || run.locations.some((location) => location.kind === 'blob')) return null;
  const holders = run.locations.flatMap((location) =>
    location.kind === 'worker' ? [location.workerId] : [],
  );
  if (able.some((worker) => holders.includes(worker.id))) return null;
  return `the checkpoint of step ${run.step} is on worker ${holders.join(', ')}, which is not connected`;
}

async function giveReason(database: Database, runId: string, reason: string | null): Promise<SweptRun> {
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    if (run.view.status !== 'queued') return { runId, published: [] };
    const event = { kind: 'status:changed', status: 'queued', reason, resumedFromStep: null } as const;
    return { runId, published: await recordServerEvent(client, run, event) };
  });
}
