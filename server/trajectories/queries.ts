import type { Pair, PairQuery, PairSide, ProbeIndex, TrajectoryDetail } from '@/contract/api';
import { AppError } from '@/contract/errors';
import type { Database } from '../database';
import { requirePosition } from '../runs/queries';
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
  const [a, b] = await Promise.all([
    pairSide(database, runId, taskId, query.a),
    pairSide(database, runId, taskId, query.b),
  ]);
  return { runId, runName: name, taskId, taskType: task.taskType, goal: task.goal, a, b };
}

/** One side, of the newest attempt that probed the task at this step. */
async function pairSide(database: Database, runId: string, taskId: string, step: number): Promise<PairSide> {
  const { trajectory } = database.prisma;
  const where = { runId, phase: 'probe', taskId, step };
  const newest = await trajectory.aggregate({ where, _max: { attempt: true } });
  const attempt = newest._max.attempt;
  if (attempt === null) return { step, greedy: null, samples: [] };
  const [greedy, samples] = await Promise.all([
    trajectory.findFirst({
      where: { ...where, attempt, decoding: 'greedy' },
      include: { turns: { orderBy: { index: 'asc' } } },
      orderBy: { id: 'desc' },
    }),
    trajectory.findMany({
      where: { ...where, attempt, decoding: 'sampled' },
      omit: NOT_SUMMED_UP,
      orderBy: [{ sample: 'asc' }, { id: 'asc' }],
    }),
  ]);
  return {
    step,
    greedy: greedy && { id: String(greedy.id), trajectory: toTrajectory(greedy) },
    samples: samples.map(toSummary),
  };
}
