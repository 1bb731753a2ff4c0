import type { ProbeIndex, TrajectoryDetail } from '@/contract/api';
import { AppError } from '@/contract/errors';
import type { Database } from '../database';
import { NOT_SUMMED_UP, toSummary, toTrajectory } from './records';

/** Most trajectories beside an opened one. */
const MAX_SIBLINGS = 512;

/** A trajectory with its turns and what it is to be compared with; throws `not_found`. */
export async function requireTrajectory(database: Database, id: string): Promise<TrajectoryDetail> {
  const row = /^\d{1,18}$/.test(id)
    ? await database.prisma.trajectory.findUnique({
        where: { id: BigInt(id) },
        include: { turns: { orderBy: { index: 'asc' } }, run: { select: { name: true } } },
      })
    : null;
  if (!row)
    throw new AppError('not_found', `no trajectory has the id ${id}`, [
      { path: 'trajectoryId', message: 'expected the id of a trajectory' },
    ]);
  const { runId, attempt, step, phase, group, taskId } = row;
  const alike = group === null ? { taskId } : { group };
  const siblings = await database.prisma.trajectory.findMany({
    where: { runId, attempt, step, phase, ...alike, id: { not: row.id } },
    omit: NOT_SUMMED_UP,
    orderBy: [{ decoding: 'asc' }, { sample: 'asc' }, { id: 'asc' }],
    take: MAX_SIBLINGS,
  });
  return {
    id,
    runId,
    runName: row.run.name,
    attempt,
    trajectory: toTrajectory(row),
    siblings: siblings.map(toSummary),
  };
}

/** Steps and tasks of a run's probe. */
export async function probeIndex(database: Database, runId: string): Promise<ProbeIndex> {
  const { trajectory } = database.prisma;
  const where = { runId, phase: 'probe' };
  const [steps, tasks] = await Promise.all([
    trajectory.groupBy({ by: 'step', where, orderBy: { step: 'asc' } }),
    trajectory.findMany({
      where,
      distinct: ['taskId'],
      select: { taskId: true, taskType: true, goal: true },
      orderBy: [{ taskId: 'asc' }, { id: 'desc' }],
    }),
  ]);
  return { steps: steps.map((row) => row.step), tasks };
}
