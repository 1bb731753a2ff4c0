import { createHash, randomBytes } from 'node:crypto';
import type { WorkerRow } from '@/contract/api';
import { HELD_STATUSES } from '@/contract/run';
import type { WorkerHandshake } from '@/contract/socket';
import { WorkerReport } from '@/contract/worker-report';
import type { Database } from '../database';
import { safeJson, safeText } from '../ingest/safe-text';

/**
 * Writes or renews a worker's row from its handshake; it counts as connected and as just heard of. Returns when that was, by
 * the database's clock.
 */
export async function registerWorker(database: Database, worker: WorkerHandshake): Promise<Date> {
  const { workerId, name, protocol, capabilities, report } = worker;
  const { rows } = await database.pool.query<{ lastBeatAt: Date }>(
    `INSERT INTO "Worker" ("id", "name", "protocol", "engines", "devices", "recipes", "environments",
       "report", "reportedAt", "connected", "lastBeatAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${REPORTED_AT}, true, clock_timestamp())
     ON CONFLICT ("id") DO UPDATE SET "name" = EXCLUDED."name", "protocol" = EXCLUDED."protocol",
       "engines" = EXCLUDED."engines", "devices" = EXCLUDED."devices", "recipes" = EXCLUDED."recipes",
       "environments" = EXCLUDED."environments",
       "report" = EXCLUDED."report", "reportedAt" = EXCLUDED."reportedAt",
       "connected" = true, "lastBeatAt" = EXCLUDED."lastBeatAt"
     RETURNING "lastBeatAt"`,
    [
      workerId,
      safeText(name),
      protocol,
      capabilities.engines,
      capabilities.devices,
      capabilities.recipes.map(safeText),
      capabilities.environments.map(safeText),
      report ? storedReport(report) : null,
    ],
  );
  const [registered] = rows;
  if (!registered) throw new Error(`worker ${workerId} was not registered`);
  return registered.lastBeatAt;
}

/** When a report that may be absent ($8) came. */
const REPORTED_AT = `CASE WHEN $8::jsonb IS NULL THEN NULL ELSE clock_timestamp() END`;

/** Keeps what a worker says of its machine and its engines now. */
export async function storeReport(database: Database, workerId: string, report: WorkerReport): Promise<void> {
  await database.pool.query(
    `UPDATE "Worker" SET "report" = $2, "reportedAt" = clock_timestamp() WHERE "id" = $1`,
    [workerId, storedReport(report)],
  );
}

function storedReport(report: WorkerReport): string {
  return JSON.stringify(safeJson(report));
}

export async function setConnected(database: Database, workerId: string, connected: boolean): Promise<void> {
  await database.pool.query(`UPDATE "Worker" SET "connected" = $2 WHERE "id" = $1`, [workerId, connected]);
}

/** No socket outlives its server: for a server's start, since a killed one could not write it. */
export async function disconnectAll(database: Database): Promise<void> {
  await database.pool.query(`UPDATE "Worker" SET "connected" = false WHERE "connected"`);
}

/** All workers ever seen, the connected first, each with the run it holds. */
export async function listWorkers(database: Database): Promise<WorkerRow[]> {
  const workers = await database.prisma.worker.findMany({
    orderBy: [{ connected: 'desc' }, { name: 'asc' }, { id: 'asc' }],
    include: {
      runs: {
        where: { status: { in: [...HELD_STATUSES] } },
        select: { id: true, name: true },
        orderBy: { number: 'desc' },
        take: 1,
      },
    },
  });
  return workers.map(
    ({ id, name, connected, protocol, devices, engines, environments, lastBeatAt, runs, ...row }) => ({
      id,
      name,
      connected,
      protocol,
      devices,
      engines,
      environments,
      lastBeatAt: lastBeatAt?.getTime() ?? null,
      // A report of another version's shape counts as none.
      report: WorkerReport.safeParse(row.report).data ?? null,
      reportedAt: row.reportedAt?.getTime() ?? null,
      runId: runs[0]?.id ?? null,
      runName: runs[0]?.name ?? null,
    }),
  );
}

/**
 * Makes a token that workers may connect with and returns it; only its hash is kept. Hex, because a base64url text
 * can begin with a dash and then reads as an option after `--token`.
 */
export async function createToken(database: Database, label: string): Promise<string> {
  const token = randomBytes(32).toString('hex');
  await database.pool.query(`INSERT INTO "WorkerToken" ("label", "hash") VALUES ($1, $2)`, [
    safeText(label),
    hashToken(token),
  ]);
  return token;
}

/** Looked up by hash, so how long it takes tells nothing of any token. */
export async function checkToken(database: Database, token: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(`SELECT FROM "WorkerToken" WHERE "hash" = $1`, [
    hashToken(token),
  ]);
  return rowCount === 1;
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
