import type {
  BehaviourCounts,
  ProbeShift,
  ProbeShiftQuery,
  ProbeShiftSide,
  ProbeShiftTask,
} from '@/contract/pair';
import { AppError } from '@/contract/errors';
import { Trajectory } from '@/contract/trajectory';
import { countBehaviour } from '@/stats/behaviour';
import { partingTurn } from '@/stats/sample-divergence';
import type { Database } from '../database';
import { requirePosition } from '../runs/queries';
import { probeIndex } from '../trajectories/queries';
import { TURN_FACTS } from './sides';

/** Every task of a run's probe at two steps: what was done there, and where the greedy trajectories part. */
export async function probeShift(
  database: Database,
  runId: string,
  { a, b }: ProbeShiftQuery,
): Promise<ProbeShift> {
  const { name } = await requirePosition(database, runId);
  const { steps, tasks } = await probeIndex(database, runId);
  const missing = [a, b].find((step) => !steps.includes(step));
  if (missing !== undefined)
    throw new AppError('not_found', `run ${runId} has not probed step ${missing}`, [
      { path: missing === a ? 'a' : 'b', message: `expected one of the probed steps: ${steps.join(', ')}` },
    ]);
  const rows = await playedAt(database, runId, [a, b]);
  return {
    runId,
    runName: name,
    steps,
    a,
    b,
    tasks: tasks.map((task) => {
      const played = rows.filter((row) => row.taskId === task.taskId);
      return shiftOf(
        task,
        played.filter((row) => row.step === a),
        played.filter((row) => row.step === b),
      );
    }),
  };
}

type PlayedAt = Awaited<ReturnType<typeof playedAt>>[number];

/** Probe trajectories of the steps with what their behaviour is told from; of each task and step the newest attempt. */
async function playedAt(database: Database, runId: string, steps: readonly number[]) {
  const rows = await database.prisma.trajectory.findMany({
    where: { runId, phase: 'probe', step: { in: [...steps] } },
    select: {
      id: true,
      attempt: true,
      step: true,
      taskId: true,
      decoding: true,
      success: true,
      stopReason: true,
      errorStage: true,
      errorMessage: true,
      finalPicture: true,
      finalObservation: true,
      turns: { select: TURN_FACTS, orderBy: { index: 'asc' } },
    },
    orderBy: { id: 'desc' },
  });
  const keyOf = (row: { taskId: string; step: number }) => `${row.step} ${row.taskId}`;
  const newest = new Map<string, number>();
  for (const row of rows) newest.set(keyOf(row), Math.max(row.attempt, newest.get(keyOf(row)) ?? 0));
  return rows.filter((row) => newest.get(keyOf(row)) === row.attempt);
}

function shiftOf(
  task: Pick<ProbeShiftTask, 'taskId' | 'taskType' | 'goal'>,
  a: readonly PlayedAt[],
  b: readonly PlayedAt[],
): ProbeShiftTask {
  const [greedyA, greedyB] = [a, b].map((rows) => rows.find((row) => row.decoding === 'greedy'));
  const parting = greedyA && greedyB ? partingTurn(greedyA, greedyB) : null;
  return {
    ...task,
    a: sideOf(greedyA, a),
    b: sideOf(greedyB, b),
    firstDivergence: parting === null ? null : parting + 1,
  };
}

function sideOf(greedy: PlayedAt | undefined, rows: readonly PlayedAt[]): ProbeShiftSide {
  const samples = rows.filter((row) => row.decoding === 'sampled');
  return {
    greedy: greedy
      ? {
          id: String(greedy.id),
          stopReason: Trajectory.shape.stopReason.parse(greedy.stopReason),
          error: errorOf(greedy),
          ...countOf([greedy]),
        }
      : null,
    samples: samples.length > 0 ? countOf(samples) : null,
  };
}

function countOf(rows: readonly PlayedAt[]): BehaviourCounts {
  return countBehaviour(rows.map((row) => ({ ...row, error: errorOf(row) })));
}

function errorOf({ errorStage, errorMessage }: PlayedAt): Trajectory['error'] {
  return errorStage === null ? null : { stage: errorStage, message: errorMessage ?? '' };
}
