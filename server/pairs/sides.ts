import type { PairSide } from '@/contract/pair';
import { sampleDivergence } from '@/stats/sample-divergence';
import type { Database, Prisma, TrajectoryRow, TurnRow } from '../database';
import { checkpointOf } from '../requested/playing-checkpoint';
import { toSummary, toTrajectory } from '../trajectories/records';

/** Columns of a turn that alignment and marks are made from. */
export const TURN_FACTS = {
  action: true,
  formatOk: true,
  availableActions: true,
  admissible: true,
  valid: true,
  stateHash: true,
  picture: true,
  observation: true,
} as const satisfies Prisma.TurnSelect;

export const WITH_TURNS = { turns: { orderBy: { index: 'asc' } } } as const;

/** Most samples that a noise floor is taken from: 64 make 2,016 pairs. */
const MOST_SAMPLES = 64;

type PlayedRow = TrajectoryRow & { turns: TurnRow[] };

/** A step of a run on a task of its probe: the greedy trajectory of the newest attempt, and its samples. */
export async function probedSide(
  database: Database,
  run: { id: string; name: string },
  taskId: string,
  step: number,
): Promise<PairSide> {
  const probed = await newestProbe(database, run.id, taskId, step);
  const greedy =
    probed &&
    (await database.prisma.trajectory.findFirst({
      where: { ...probed, decoding: 'greedy' },
      include: WITH_TURNS,
      orderBy: { id: 'desc' },
    }));
  return {
    runId: run.id,
    runName: run.name,
    checkpointRun: null,
    step,
    played: greedy && toPlayed(greedy),
    ...(await samplesOf(database, probed)),
  };
}

/** The side of one trajectory: the checkpoint that acted in it, and that checkpoint's samples of the task. */
export async function playedSide(
  database: Database,
  row: PlayedRow & { run: { name: string; config: unknown } },
): Promise<PairSide> {
  const { runId, attempt, step, phase, taskId, evaluation } = row;
  const checkpoint = checkpointOf(row);
  const probed = await newestProbe(database, checkpoint.runId, taskId, step);
  return {
    runId,
    runName: row.run.name,
    checkpointRun: checkpoint.runId === runId ? null : await namedRun(database, checkpoint.runId),
    step,
    played: toPlayed(row),
    ...(await samplesOf(database, probed ?? { runId, attempt, step, phase, taskId, evaluation })),
  };
}

function toPlayed(row: PlayedRow): NonNullable<PairSide['played']> {
  return { id: String(row.id), trajectory: toTrajectory(row) };
}

/** The newest attempt that probed the task at the step; null where none did. */
async function newestProbe(database: Database, runId: string, taskId: string, step: number) {
  const where = { runId, phase: 'probe', taskId, step };
  const { _max } = await database.prisma.trajectory.aggregate({ where, _max: { attempt: true } });
  return _max.attempt === null ? null : { ...where, attempt: _max.attempt };
}

async function samplesOf(
  database: Database,
  where: Prisma.TrajectoryWhereInput | null,
): Promise<Pick<PairSide, 'samples' | 'noiseFloor'>> {
  if (!where) return { samples: [], noiseFloor: null };
  const rows = await database.prisma.trajectory.findMany({
    where: { ...where, decoding: 'sampled' },
    omit: { strategy: true },
    include: { turns: { select: TURN_FACTS, orderBy: { index: 'asc' } } },
    orderBy: [{ sample: 'asc' }, { id: 'asc' }],
    take: MOST_SAMPLES,
  });
  return { samples: rows.map(toSummary), noiseFloor: sampleDivergence(rows) };
}

async function namedRun(database: Database, id: string): Promise<NonNullable<PairSide['checkpointRun']>> {
  const run = await database.prisma.run.findUnique({ where: { id }, select: { name: true } });
  return { id, name: run?.name ?? id };
}
