import type pg from 'pg';
import { AppError } from '@/contract/errors';
import type { PublishedEvent } from '@/contract/run-events';
import type { RunView } from '@/contract/run-view';
import type { ClaimedRun, WorkerHandshake } from '@/contract/socket';
import { findNamedCheckpoints, NAMED_CHECKPOINTS } from '../checkpoints/named-checkpoints';
import {
  findOlderCheckpoints,
  findResumeCheckpoint,
  reachableLocations,
  RESUME_CHECKPOINT,
  resumePoint,
} from '../checkpoints/resume-point';
import { inTransaction, type Database } from '../database';
import { recordServerEvent } from '../runs/locked-run';
import type { LeaseSettings } from './lease';
import { KEY_VARIABLE, TEACHER_ENGINE, TEACHER_MODEL } from './needs';

/** A worker as the queue sees it. */
export type Claimant = Pick<WorkerHandshake, 'workerId' | 'capabilities' | 'report' | 'code'>;

interface QueuedRun {
  id: string;
  name: string;
  recipe: string;
  preset: string;
  config: unknown;
  attempt: number;
  view: RunView;
}

/**
 * Hands the oldest queued run that the worker can do to it, as the run's next attempt; null where there is none.
 * A run whose checkpoint, model or teacher the worker cannot reach, or a checkpoint of another run that it works on, or
 * whose endpoint's key it lacks, is not offered to it. The worker must be registered.
 */
export async function claimRun(
  database: Database,
  claimant: Claimant,
  lease: LeaseSettings,
): Promise<{ claimed: ClaimedRun; published: PublishedEvent[] } | null> {
  return inTransaction(database, async (client) => {
    // One that is merely being looked at, as by the sweep, is waited for where no other is free.
    const queued =
      (await lockNextRun(client, claimant, 'SKIP LOCKED')) ?? (await lockNextRun(client, claimant, ''));
    if (!queued) return null;
    const { workerId } = claimant;
    const { id: runId, name, recipe, preset, config, view } = queued;
    const checkpoint = await findResumeCheckpoint(client, runId);
    const resumeFrom = checkpoint && resumePoint(checkpoint, workerId);
    if (checkpoint && !resumeFrom)
      throw new AppError(
        'internal',
        `run ${runId} was offered to ${workerId}, which cannot reach its checkpoint`,
      );
    const older = checkpoint ? await findOlderCheckpoints(client, runId) : [];
    const olderResumePoints = older.flatMap((each) => resumePoint(each, workerId) ?? []);
    const checkpoints = await findNamedCheckpoints(client, runId, workerId);
    const attempt = queued.attempt + 1;
    const resumedFromStep = resumeFrom?.step ?? null;
    await client.query(
      `INSERT INTO "Attempt" ("runId", "attempt", "workerId", "resumedFromStep", "code") VALUES ($1, $2, $3, $4, $5)`,
      [runId, attempt, workerId, resumedFromStep, claimant.code ?? null],
    );
    await client.query(`UPDATE "Run" SET "lastBeatAt" = clock_timestamp() WHERE "id" = $1`, [runId]);
    const published = await recordServerEvent(
      client,
      { id: runId, attempt, workerId, view },
      { kind: 'status:changed', status: 'starting', reason: null, resumedFromStep },
    );
    const { heartbeatMs, leaseMs } = lease;
    const run = { runId, attempt, name, recipe, preset, config };
    const starting = { resumeFrom, olderResumePoints, ...(checkpoints.length > 0 && { checkpoints }) };
    return { claimed: { ...run, ...starting, heartbeatMs, leaseMs }, published };
  });
}

async function lockNextRun(
  client: pg.PoolClient,
  claimant: Claimant,
  ofLocked: 'SKIP LOCKED' | '',
): Promise<QueuedRun | undefined> {
  const { engines, recipes, environments } = claimant.capabilities;
  // A worker that says nothing of its server may have any model there.
  const models = claimant.report?.tinker?.models ?? null;
  const keys = claimant.report?.endpointKeys ?? null;
  const { rows } = await client.query<QueuedRun>(
    `SELECT run."id", run."name", run."recipe", run."preset", run."config", run."attempt", run."view"
     FROM "Run" run LEFT JOIN ${RESUME_CHECKPOINT} checkpoint ON true
     WHERE run."status" = 'queued' AND run."engine" = ANY($1) AND run."recipe" = ANY($2)
       AND run."config" -> 'environment' ->> 'id' = ANY($4)
       AND (run."engine" <> 'tinker' OR $5::text[] IS NULL OR run."config" -> 'engine' ->> 'model' = ANY($5))
       AND (${TEACHER_ENGINE} IS NULL OR ${TEACHER_ENGINE} = ANY($1))
       AND (${TEACHER_ENGINE} IS DISTINCT FROM 'tinker' OR $5::text[] IS NULL OR ${TEACHER_MODEL} = ANY($5))
       AND (${KEY_VARIABLE} IS NULL OR $6::text[] IS NULL OR ${KEY_VARIABLE} = ANY($6))
       AND (checkpoint."step" IS NULL OR checkpoint."locations" @> ANY($3::jsonb[]))
       AND NOT EXISTS (SELECT 1 FROM ${NAMED_CHECKPOINTS} named WHERE NOT named."locations" @> ANY($3::jsonb[]))
     ORDER BY run."number" LIMIT 1 FOR UPDATE OF run ${ofLocked}`,
    [engines, recipes, reachableLocations(claimant.workerId), environments, models, keys],
  );
  return rows[0];
}
