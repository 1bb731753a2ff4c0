import { CapabilityResult, type CapabilityRow } from '@/contract/capability';
import type { Database } from '../database';

/**
 * Capability results of a run and its checkpoints: those that the run states itself and those that other imports state of it,
 * by benchmark, the base first.
 */
export async function listCapabilities(database: Database, runId: string): Promise<CapabilityRow[]> {
  const { rows } = await database.pool.query<CapabilityRow>(
    `SELECT capability."id", capability."runId", run."name" AS "runName", capability."result"
     FROM "Capability" capability JOIN "Run" run ON run."id" = capability."runId"
     WHERE capability."runId" = $1 OR capability."checkpointRunId" = $1
     ORDER BY capability."benchmark", (capability."result" ->> 'isBase')::boolean DESC, capability."step", capability."id"`,
    [runId],
  );
  return rows.map((row) => ({ ...row, result: CapabilityResult.parse(row.result) }));
}
