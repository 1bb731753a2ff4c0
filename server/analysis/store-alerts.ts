import type pg from 'pg';
import type { DetectorId, DetectorReading, Finding } from '@/contract/alert';
import { DETECTORS_VERSION } from '@/stats/detectors/detect';
import type { DetectorReport } from '@/stats/detectors/report';
import { inTransaction, type Database } from '../database';

type Report = DetectorReport & { detector: DetectorId };

interface AlertRow extends Finding {
  detector: DetectorId;
}

/**
 * Makes a run's alerts what the detectors found up to a position: those found again keep their id and whether a person took
 * note of them, those that are no longer found go. Returns whether any of them changed.
 */
export async function storeAlerts(
  database: Database,
  runId: string,
  position: number,
  reports: readonly Report[],
): Promise<boolean> {
  const found = reports.flatMap(({ detector, findings }) =>
    findings.map((finding): AlertRow => ({ detector, ...finding })),
  );
  const readings = reports.map(({ detector, reading }): DetectorReading => ({ detector, reading }));
  return inTransaction(database, async (client) => {
    const changed = await changeAlerts(client, runId, found);
    await client.query(
      `INSERT INTO "RunAnalysis" ("runId", "position", "version", "readings") VALUES ($1, $2, $3, $4)
       ON CONFLICT ("runId") DO UPDATE SET "position" = EXCLUDED."position", "version" = EXCLUDED."version",
         "readings" = EXCLUDED."readings", "analysedAt" = now()`,
      [runId, position, DETECTORS_VERSION, JSON.stringify(readings)],
    );
    return changed;
  });
}

async function changeAlerts(
  client: pg.PoolClient,
  runId: string,
  found: readonly AlertRow[],
): Promise<boolean> {
  const rows = JSON.stringify(found);
  const gone = await client.query(
    `DELETE FROM "Alert" alert WHERE "runId" = $1 AND NOT EXISTS (
       SELECT FROM json_populate_recordset(NULL::"Alert", $2::json) found
       WHERE found."detector" = alert."detector" AND found."subject" = alert."subject" AND found."step" = alert."step")`,
    [runId, rows],
  );
  const written = await client.query(
    `INSERT INTO "Alert" ("runId", "detector", "subject", "step", "lastStep", "isOver", "severity", "message", "evidence")
     SELECT $1, "detector", "subject", "step", "lastStep", "isOver", "severity", "message", "evidence"
     FROM json_populate_recordset(NULL::"Alert", $2::json)
     ON CONFLICT ("runId", "detector", "subject", "step") DO UPDATE SET "lastStep" = EXCLUDED."lastStep",
       "isOver" = EXCLUDED."isOver", "severity" = EXCLUDED."severity", "message" = EXCLUDED."message",
       "evidence" = EXCLUDED."evidence"
     WHERE ("Alert"."lastStep", "Alert"."isOver", "Alert"."severity", "Alert"."message", "Alert"."evidence")
       IS DISTINCT FROM
       (EXCLUDED."lastStep", EXCLUDED."isOver", EXCLUDED."severity", EXCLUDED."message", EXCLUDED."evidence")`,
    [runId, rows],
  );
  return (gone.rowCount ?? 0) + (written.rowCount ?? 0) > 0;
}
