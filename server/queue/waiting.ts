import { NAMED_CHECKPOINTS } from '../checkpoints/named-checkpoints';
import { RESUME_CHECKPOINT, type ResumeCheckpoint } from '../checkpoints/resume-point';
import { HELD_STATUSES } from '@/contract/run';
import { mayReachModel, type WorkerReport } from '@/contract/worker-report';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent } from '../runs/locked-run';
import { KEY_VARIABLE, TEACHER_ENGINE, TEACHER_MODEL } from './needs';
import type { SweptRun } from './sweep';

const WAITING = 'Waiting: ';
/** Workers named in a reason. */
const NAMED_WORKERS = 3;

interface QueuedRun {
  id: string;
  reason: string | null;
  recipe: string;
  engine: string;
  environment: string;
  model: string;
  /** Null where it has no teacher. */
  teacherEngine: string | null;
  teacherModel: string | null;
  /** Null where it sends no key. */
  keyVariable: string | null;
  /** The checkpoint that it resumes from and those that its config names; null where there are none. */
  checkpoints: NeededCheckpoint[] | null;
}

interface NeededCheckpoint {
  /** Null for the run's own. */
  runId: string | null;
  step: number;
  locations: ResumeCheckpoint['locations'];
}

interface ConnectedWorker {
  id: string;
  name: string;
  engines: string[];
  recipes: string[];
  environments: string[];
  /** Null where it says nothing of a server. */
  tinker: WorkerReport['tinker'];
  /** Null where it does not say. */
  endpointKeys: string[] | null;
  /** The run that it holds. */
  runId: string | null;
}

interface Obstacle {
  words: string;
  /** Workers could take the run, but each holds another: it passes by itself. */
  busy: boolean;
}

const CONNECTED_WORKERS = `SELECT worker."id", worker."name", worker."engines", worker."recipes", worker."environments",
    worker."report" -> 'tinker' AS "tinker", worker."report" -> 'endpointKeys' AS "endpointKeys", held."id" AS "runId"
  FROM "Worker" worker LEFT JOIN LATERAL (
    SELECT "id" FROM "Run" WHERE "workerId" = worker."id" AND "status" = ANY($1) ORDER BY "number" DESC LIMIT 1
  ) held ON true
  WHERE worker."connected" ORDER BY worker."name", worker."id"`;

/**
 * Says of each queued run that no connected worker takes why that is, and takes it back once one can. Why a run is
 * in the queue again is left to be read while its worker is merely awaited.
 */
export async function explainWaiting(database: Database): Promise<SweptRun[]> {
  const { rows: queued } = await database.pool.query<QueuedRun>(
    `SELECT run."id", run."reason", run."recipe", run."engine",
       run."config" -> 'environment' ->> 'id' AS "environment", run."config" -> 'engine' ->> 'model' AS "model",
       ${TEACHER_ENGINE} AS "teacherEngine", ${TEACHER_MODEL} AS "teacherModel", ${KEY_VARIABLE} AS "keyVariable",
       (SELECT json_agg(needed) FROM (
         SELECT NULL AS "runId", own."step", own."locations" FROM ${RESUME_CHECKPOINT} own
         UNION ALL SELECT named."runId", named."step", named."locations" FROM ${NAMED_CHECKPOINTS} named
         WHERE named."locations" IS NOT NULL) needed) AS "checkpoints"
     FROM "Run" run WHERE run."status" = 'queued'
     ORDER BY run."number"`,
  );
  if (queued.length === 0) return [];
  const { rows: connected } = await database.pool.query<ConnectedWorker>(CONNECTED_WORKERS, [HELD_STATUSES]);
  const explained: SweptRun[] = [];
  for (const run of queued) {
    const obstacle = findObstacle(run, connected);
    const toldOtherwise = run.reason !== null && !run.reason.startsWith(WAITING);
    if (toldOtherwise && (obstacle === null || obstacle.busy)) continue;
    const reason = obstacle === null ? null : WAITING + obstacle.words;
    if (reason !== run.reason) explained.push(await giveReason(database, run.id, reason));
  }
  return explained;
}

/** What keeps every connected worker from a queued run; null where an idle one could take it. */
function findObstacle(run: QueuedRun, connected: readonly ConnectedWorker[]): Obstacle | null {
  const fitting = connected.filter(
    (worker) =>
      worker.engines.includes(run.engine) &&
      worker.recipes.includes(run.recipe) &&
      worker.environments.includes(run.environment),
  );
  if (fitting.length === 0)
    return {
      words: `no connected worker has engine ${run.engine}, recipe ${run.recipe} and environment ${run.environment}`,
      busy: false,
    };
  const { teacherEngine, keyVariable } = run;
  const taught = fitting.filter(({ engines }) => teacherEngine === null || engines.includes(teacherEngine));
  if (taught.length === 0)
    return { words: `no connected worker has engine ${teacherEngine} for the teacher`, busy: false };
  const keyed = taught.filter(
    ({ endpointKeys }) => keyVariable === null || !endpointKeys || endpointKeys.includes(keyVariable),
  );
  if (keyed.length === 0)
    return { words: `no connected worker has a key in ${keyVariable} of its environment`, busy: false };
  const able = keyed.filter((worker) => unreachedModel(run, worker) === null);
  if (able.length === 0) return { words: withoutModel(run, keyed), busy: false };
  const kept = (run.checkpoints ?? []).filter((checkpoint) => !isUploaded(checkpoint));
  const reaching = able.filter(({ id }) => kept.every((checkpoint) => holdersOf(checkpoint).includes(id)));
  if (reaching.length > 0) return whileBusy(reaching);
  const away = kept.find((checkpoint) => !able.some(({ id }) => holdersOf(checkpoint).includes(id)));
  return { words: away ? awayWords(away) : scatteredWords(kept), busy: false };
}

function isUploaded({ locations }: NeededCheckpoint): boolean {
  return locations.some((location) => location.kind === 'blob');
}

/** Workers that have a checkpoint on their disk. */
function holdersOf({ locations }: NeededCheckpoint): string[] {
  return locations.flatMap((location) => (location.kind === 'worker' ? [location.workerId] : []));
}

function awayWords(checkpoint: NeededCheckpoint): string {
  return `the ${checkpointWords(checkpoint)} is on worker ${holdersOf(checkpoint).join(', ')}, which is not connected`;
}

function scatteredWords(checkpoints: readonly NeededCheckpoint[]): string {
  const places = checkpoints.map(
    (checkpoint) => `the ${checkpointWords(checkpoint)} on ${holdersOf(checkpoint).join(', ')}`,
  );
  const others = places.length > NAMED_WORKERS ? `; and ${places.length - NAMED_WORKERS} more` : '';
  return `no worker has all of its checkpoints (${places.slice(0, NAMED_WORKERS).join('; ')}${others})`;
}

function checkpointWords({ runId, step }: NeededCheckpoint): string {
  return runId === null ? `checkpoint of step ${step}` : `checkpoint of step ${step} of run ${runId}`;
}

/** Models that a run needs of a server. */
function servedModels({ engine, model, teacherEngine, teacherModel }: QueuedRun): string[] {
  return [
    ...(engine === 'tinker' ? [model] : []),
    ...(teacherEngine === 'tinker' && teacherModel !== null ? [teacherModel] : []),
  ];
}

/** Why a worker does not reach the models of a run; null where it does, or says nothing of its server. */
function unreachedModel(run: QueuedRun, { tinker }: ConnectedWorker): string | null {
  if (!tinker || servedModels(run).every((model) => mayReachModel(tinker, model))) return null;
  return tinker.problem ?? `its server has ${tinker.models.join(', ') || 'no model'}`;
}

function withoutModel(run: QueuedRun, fitting: readonly ConnectedWorker[]): string {
  const named = fitting
    .slice(0, NAMED_WORKERS)
    .map((worker) => `${worker.name}: ${unreachedModel(run, worker)}`);
  const others = fitting.length > NAMED_WORKERS ? `; and ${fitting.length - NAMED_WORKERS} more` : '';
  return `no connected worker reaches model ${servedModels(run).join(' and ')} (${named.join('; ')}${others})`;
}

/** What the workers that could take a run are doing; null where one of them is idle. */
function whileBusy(able: readonly ConnectedWorker[]): Obstacle | null {
  if (able.some((worker) => worker.runId === null)) return null;
  const named = able.slice(0, NAMED_WORKERS).map(({ name, runId }) => `${name} with run ${runId}`);
  const others = able.length > NAMED_WORKERS ? ` and ${able.length - NAMED_WORKERS} more` : '';
  return {
    words:
      able.length === 1
        ? `worker ${able[0]?.name} is busy with run ${able[0]?.runId}`
        : `all ${able.length} workers that can take it are busy: ${named.join(', ')}${others}`,
    busy: true,
  };
}

async function giveReason(database: Database, runId: string, reason: string | null): Promise<SweptRun> {
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    if (run.view.status !== 'queued') return { runId, published: [] };
    const event = { kind: 'status:changed', status: 'queued', reason, resumedFromStep: null } as const;
    return { runId, published: await recordServerEvent(client, run, event) };
  });
}
