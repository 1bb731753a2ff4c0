import type { ProbeIndex, TrajectoryDetail } from '@/contract/api';
import { AppError } from '@/contract/errors';
import type { Turn } from '@/contract/trajectory';
import type { Database } from '../database';
import { NOT_SUMMED_UP, toSummary, toTrajectory, toTurn } from './records';
import { readTurns } from './turns';

/** Most trajectories beside an opened one. */
const MAX_SIBLINGS = 512;

/**
 * A trajectory with its turns and what it is to be compared with; throws `not_found`. With `mayCut` the turns of a long
 * transcript come cut.
 */
export async function requireTrajectory(
  database: Database,
  id: string,
  mayCut = false,
): Promise<TrajectoryDetail> {
  const row = isId(id)
    ? await database.prisma.trajectory.findUnique({
        where: { id: BigInt(id) },
        include: { run: { select: { name: true } } },
      })
    : null;
  if (!row) throw unknownTrajectory(id);
  const { turns, cut } = await readTurns(database, row.id, mayCut);
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
    trajectory: { ...toTrajectory({ ...row, turns: [] }), turns },
    siblings: siblings.map(toSummary),
    ...(cut && { cut }),
  };
}

/** A turn, whole; throws `not_found`. */
export async function requireTurn(database: Database, id: string, index: number): Promise<Turn> {
  const row = isId(id)
    ? await database.prisma.turn.findUnique({
        where: { trajectoryId_index: { trajectoryId: BigInt(id), index } },
      })
    : null;
  if (!row)
    throw new AppError('not_found', `no trajectory ${id} has a turn of index ${index}`, [
      { path: 'index', message: 'expected the index of a turn, from 0' },
    ]);
  return toTurn(row);
}

function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

function unknownTrajectory(id: string): AppError {
  return new AppError('not_found', `no trajectory has the id ${id}`, [
    { path: 'trajectoryId', message: 'expected the id of a trajectory' },
  ]);
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
