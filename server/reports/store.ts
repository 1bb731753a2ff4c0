import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { ReportBlock, type Report, type ReportChange, type ReportRow } from '@/contract/report';
import { inTransaction, type Database } from '../database';
import { writeCitations } from './citations';

interface StoredReport {
  id: number;
  title: string;
  blocks: unknown;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

const Blocks = z.array(ReportBlock);
const COLUMNS = `"id", "title", "blocks", "revision", "createdAt", "updatedAt"`;

/** All reports, the last changed first. */
export async function listReports(database: Database): Promise<ReportRow[]> {
  const { rows } = await database.pool.query<Omit<StoredReport, 'blocks'> & { blocks: number }>(
    `SELECT "id", "title", jsonb_array_length("blocks") AS "blocks", "updatedAt" FROM "Report"
     ORDER BY "updatedAt" DESC, "id" DESC`,
  );
  return rows.map(({ id, title, blocks, updatedAt }) => ({
    id: String(id),
    title,
    blocks,
    updatedAt: updatedAt.getTime(),
  }));
}

/** Throws `not_found` without one of that id. */
export async function requireReport(database: Database, reportId: string): Promise<Report> {
  const { rows } = await database.pool.query<StoredReport>(
    `SELECT ${COLUMNS} FROM "Report" WHERE "id"::text = $1`,
    [reportId],
  );
  const [stored] = rows;
  if (!stored) throw unknownReport(reportId);
  return toReport(stored);
}

/** A new report without blocks. */
export async function createReport(database: Database, title: string): Promise<Report> {
  const { rows } = await database.pool.query<StoredReport>(
    `INSERT INTO "Report" ("title", "blocks") VALUES ($1, '[]') RETURNING ${COLUMNS}`,
    [title],
  );
  const [stored] = rows;
  if (!stored) throw new AppError('internal', 'the new report was not stored');
  return toReport(stored);
}

/**
 * Stores a change and what it cites. Throws `conflict` where the report was changed since the revision that the change was
 * made to, `not_found` where there is none, and `invalid_input` where it cites what there is not; nothing is then changed.
 */
export async function changeReport(
  database: Database,
  reportId: string,
  { revision, title, blocks }: ReportChange,
): Promise<Report> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<StoredReport>(
      `UPDATE "Report" SET "title" = $3, "blocks" = $4, "revision" = "revision" + 1, "updatedAt" = now()
       WHERE "id"::text = $1 AND "revision" = $2 RETURNING ${COLUMNS}`,
      [reportId, revision, title, JSON.stringify(blocks)],
    );
    const [stored] = rows;
    if (!stored) {
      const current = await requireReport(database, reportId);
      throw new AppError(
        'conflict',
        `the report was changed elsewhere: it is at revision ${current.revision}, the change was made to ${revision}`,
      );
    }
    await writeCitations(client, stored.id, blocks);
    return toReport(stored);
  });
}

/** Deletes a report; what it alone cited may then be deleted too. Throws `not_found` without one of that id. */
export async function deleteReport(database: Database, reportId: string): Promise<void> {
  const { rowCount } = await database.pool.query(`DELETE FROM "Report" WHERE "id"::text = $1`, [reportId]);
  if (rowCount === 0) throw unknownReport(reportId);
}

function toReport({ id, title, blocks, revision, createdAt, updatedAt }: StoredReport): Report {
  return {
    id: String(id),
    title,
    blocks: Blocks.parse(blocks),
    revision,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  };
}

function unknownReport(reportId: string): AppError {
  return new AppError('not_found', `there is no report ${reportId}`);
}
