import type pg from 'pg';
import { evaluationKey } from '@/contract/evaluation';
import { AppError } from '@/contract/errors';
import type { ParsedEvent } from './parse-events';
import { eventsOf } from './parsed-batch';

/** Stores the evaluations of a batch. */
export async function insertEvaluations(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly ParsedEvent[],
): Promise<void> {
  const evaluations = eventsOf(events, 'evaluation:finished');
  if (evaluations.length === 0) return;
  const rows = evaluations.map(({ seq, at, event: { evaluation } }) => {
    const { step, policy, split, decoding, n, successes } = evaluation;
    return {
      seq,
      at,
      key: evaluationKey(evaluation),
      step,
      policy,
      split,
      decoding,
      n,
      successes,
      result: evaluation,
    };
  });
  await client.query(
    `INSERT INTO "Evaluation" ("runId", "attempt", "seq", "key", "step", "policy", "split", "decoding", "n", "successes",
       "result", "at")
     SELECT $1, $2, "seq", "key", "step", "policy", "split", "decoding", "n", "successes", "result", "at"
     FROM json_populate_recordset(NULL::"Evaluation", $3::json)`,
    [runId, attempt, JSON.stringify(rows)],
  );
}

/** Stores the capability results of a batch. */
export async function insertCapabilities(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly ParsedEvent[],
): Promise<void> {
  const capabilities = eventsOf(events, 'capability:measured');
  if (capabilities.length === 0) return;
  const rows = capabilities.map(({ seq, at, event: { result } }) => ({
    seq,
    at,
    result,
    step: result.step,
    checkpointRunId: result.checkpoint?.runId ?? null,
    benchmark: result.benchmark,
  }));
  await client.query(
    `INSERT INTO "Capability" ("runId", "attempt", "seq", "step", "checkpointRunId", "benchmark", "result", "at")
     SELECT $1, $2, "seq", "step", "checkpointRunId", "benchmark", "result", "at"
     FROM json_populate_recordset(NULL::"Capability", $3::json)`,
    [runId, attempt, JSON.stringify(rows)],
  );
}

/**
 * Stores what a batch says of checkpoints, in its order. Saving one again, as after a restart of its step,
 * replaces its files. Throws `conflict` where one is completed that was never saved.
 */
export async function storeCheckpoints(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly ParsedEvent[],
): Promise<void> {
  for (const parsed of events) {
    if (!parsed.known) continue;
    const { event } = parsed;
    if (event.kind === 'checkpoint:saved') {
      const { step, parentStep, size, files } = event.checkpoint;
      await client.query(
        `INSERT INTO "Checkpoint" ("runId", "attempt", "step", "parentStep", "size", "files", "locations")
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT ("runId", "attempt", "step") DO UPDATE SET "parentStep" = EXCLUDED."parentStep",
           "size" = EXCLUDED."size", "files" = EXCLUDED."files", "locations" = EXCLUDED."locations",
           "complete" = false`,
        [runId, attempt, step, parentStep, size, JSON.stringify(files), JSON.stringify([event.location])],
      );
    } else if (event.kind === 'checkpoint:completed') {
      const { rowCount } = await client.query(
        `UPDATE "Checkpoint" SET "complete" = true,
           "locations" = CASE WHEN "locations" @> $4::jsonb THEN "locations" ELSE "locations" || $4::jsonb END
         WHERE "runId" = $1 AND "attempt" = $2 AND "step" = $3`,
        [runId, attempt, event.step, JSON.stringify([event.location])],
      );
      if (rowCount === 0)
        throw new AppError(
          'conflict',
          `event seq ${parsed.seq} (${event.kind}): attempt ${attempt} has saved no checkpoint of step ${event.step}`,
          [{ path: 'event.step', message: 'expected the step of a checkpoint that was saved' }],
        );
    }
  }
}
