import type { Pair, PairQuery, SameTaskPage, TrajectoryPairQuery } from '@/contract/pair';
import { AppError } from '@/contract/errors';
import type { Database } from '../database';
import { requirePosition } from '../runs/queries';
import { NOT_SUMMED_UP, toSummary } from '../trajectories/records';
import { playedSide, probedSide, WITH_TURNS } from './sides';

/** Most trajectories that one page offers to lay beside another. */
const MOST_OFFERED = 500;

/** A probe task at two steps; throws `not_found` where the run, or neither step of the task, is there. */
export async function requirePair(database: Database, runId: string, query: PairQuery): Promise<Pair> {
  const { taskId } = query;
  const { name } = await requirePosition(database, runId);
  const task = await database.prisma.trajectory.findFirst({
    where: { runId, phase: 'probe', taskId, step: { in: [query.a, query.b] } },
    select: { taskType: true, goal: true },
  });
  if (!task)
    throw new AppError('not_found', `run ${runId} has probed task ${taskId} at neither step`, [
      { path: 'taskId', message: 'expected a task of the probe' },
    ]);
  const run = { id: runId, name };
  const [a, b] = await Promise.all([
    probedSide(database, run, taskId, query.a),
    probedSide(database, run, taskId, query.b),
  ]);
  return { taskId, taskType: task.taskType, goal: task.goal, a, b };
}

/**
 * Two trajectories of one task, of whatever runs and steps. Throws `not_found` on an id that no trajectory has, and `conflict`
 * on trajectories of different tasks: they share no states, so nothing of them can be aligned.
 */
export async function requireTrajectoryPair(database: Database, query: TrajectoryPairQuery): Promise<Pair> {
  const [a, b] = await Promise.all([
    requirePlayed(database, 'a', query.a),
    requirePlayed(database, 'b', query.b),
  ]);
  if (a.taskId !== b.taskId)
    throw new AppError(
      'conflict',
      `Trajectory ${query.a} is of task ${a.taskId}, trajectory ${query.b} of task ${b.taskId}. Only trajectories of one task are laid side by side.`,
      [{ path: 'b', message: `expected a trajectory of task ${a.taskId}` }],
    );
  const [sideA, sideB] = await Promise.all([playedSide(database, a), playedSide(database, b)]);
  return { taskId: a.taskId, taskType: a.taskType, goal: a.goal, a: sideA, b: sideB };
}

/** Trajectories of the same task, of all runs, the newest first, and without itself; throws `not_found`. */
export async function sameTask(database: Database, trajectoryId: string): Promise<SameTaskPage> {
  const { id, taskId, goal } = await requirePlayed(database, 'trajectoryId', trajectoryId);
  const where = { taskId, id: { not: id } };
  const [rows, total] = await Promise.all([
    database.prisma.trajectory.findMany({
      where,
      omit: NOT_SUMMED_UP,
      include: { run: { select: { name: true } } },
      orderBy: { id: 'desc' },
      take: MOST_OFFERED,
    }),
    database.prisma.trajectory.count({ where }),
  ]);
  const trajectories = rows.map((row) => ({ ...toSummary(row), runId: row.runId, runName: row.run.name }));
  return { taskId, goal, trajectories, total };
}

async function requirePlayed(database: Database, path: string, id: string) {
  const row = /^\d{1,18}$/.test(id)
    ? await database.prisma.trajectory.findUnique({
        where: { id: BigInt(id) },
        include: { ...WITH_TURNS, run: { select: { name: true, config: true } } },
      })
    : null;
  if (row) return row;
  throw new AppError('not_found', `no trajectory has the id ${id}`, [
    { path, message: 'expected the id of a trajectory' },
  ]);
}
