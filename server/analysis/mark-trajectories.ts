import { markTrajectory } from '@/stats/trajectory-marks';
import type { Database } from '../database';
import { toTrajectory } from '../trajectories/records';

const BATCH = 50;

/** Marks those of a run's trajectories that were stored before marks were. */
export async function markTrajectories({ pool, prisma }: Database, runId: string): Promise<void> {
  for (let after = 0n; ;) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT "id" FROM "Trajectory" WHERE "runId" = $1 AND "id" > $2 AND "marks" IS NULL ORDER BY "id" LIMIT $3`,
      [runId, String(after), BATCH],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => BigInt(id));
    const records = await prisma.trajectory.findMany({
      where: { id: { in: ids } },
      include: { turns: { orderBy: { index: 'asc' } } },
    });
    const marked = records.map((record) => ({
      id: String(record.id),
      marks: markTrajectory(toTrajectory(record)),
    }));
    await pool.query(
      `UPDATE "Trajectory" SET "marks" = marked.marks, "failureMode" = marked.marks ->> 'failureMode',
         "firstBadTurn" = (marked.marks ->> 'firstBadTurn')::int
       FROM unnest($1::bigint[], $2::jsonb[]) AS marked(id, marks) WHERE "Trajectory"."id" = marked.id`,
      [marked.map(({ id }) => id), marked.map(({ marks }) => JSON.stringify(marks))],
    );
    after = ids.at(-1) ?? after;
  }
}
