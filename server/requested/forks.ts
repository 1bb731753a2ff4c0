import { AppError } from '@/contract/errors';
import type { Fork, ForkRequest, ForksQuery } from '@/contract/forks';
import { ForkTurnConfig } from '@/contract/recipes/requested-work';
import type { Database } from '../database';
import { NOT_SUMMED_UP, toSummary } from '../trajectories/records';
import { launchRequested, settingsOfWork, toRequestedRun, type RequestedRow } from './launch-requested';
import { requireLoadable, requireOrigin, requireSettings } from './playing-checkpoint';

/** Most runs of forks of one trajectory that are listed, the newest. */
const MAX_FORKS = 100;

/** Asks for continuations, one run a checkpoint, and gives their ids. Throws where the turn or a checkpoint is not there. */
export async function requestForks(database: Database, request: ForkRequest): Promise<string[]> {
  const { trajectory, turn, checkpoints, samples, temperature } = request;
  const { settings } = await requireOrigin(database, trajectory);
  await requireTurn(database, trajectory, turn);
  for (const checkpoint of checkpoints) await requireLoadable(database, checkpoint);
  const launched: string[] = [];
  for (const checkpoint of checkpoints) {
    const source = await requireSettings(database, checkpoint.runId);
    const { seed, environment, scaffold, evaluation } = settings;
    const sampling = { ...evaluation, temperature: temperature ?? evaluation.temperature };
    const work = settingsOfWork({ ...source, seed, environment, scaffold, evaluation: sampling }, checkpoint);
    const name = `turn ${turn + 1} of trajectory ${trajectory} by ${checkpoint.runId} step ${checkpoint.step}`;
    const config = { ...work, trajectory, turn, samples };
    launched.push((await launchRequested(database, 'fork-turn', name, config)).runId);
  }
  return launched;
}

async function requireTurn(database: Database, trajectory: string, turn: number): Promise<void> {
  const turns = await database.prisma.turn.count({ where: { trajectoryId: BigInt(trajectory) } });
  if (turn < turns) return;
  throw new AppError('invalid_input', `trajectory ${trajectory} has ${turns} turns, none of index ${turn}`, [
    { path: 'turn', message: `expected 0 to ${turns - 1}` },
  ]);
}

/** Continuations of a recorded trajectory, the newest run first. */
export async function listForks(database: Database, { trajectory, turn }: ForksQuery): Promise<Fork[]> {
  const { rows } = await database.pool.query<RequestedRow<unknown> & { attempt: number }>(
    `SELECT "id", "status", "reason", "config", "attempt" FROM "Run"
     WHERE "recipe" = 'fork-turn' AND "config" ->> 'trajectory' = $1
       AND ($2::int IS NULL OR ("config" ->> 'turn')::int = $2)
     ORDER BY "number" DESC LIMIT $3`,
    [trajectory, turn ?? null, MAX_FORKS],
  );
  return Promise.all(
    rows.map(async (row): Promise<Fork> => {
      const { checkpoints, evaluation, ...config } = ForkTurnConfig.parse(row.config);
      const [checkpoint] = checkpoints;
      if (!checkpoint) throw new AppError('internal', `run ${row.id} names no checkpoint`);
      const played = await database.prisma.trajectory.findMany({
        where: { runId: row.id, attempt: row.attempt, phase: 'fork' },
        omit: NOT_SUMMED_UP,
        orderBy: { sample: 'asc' },
      });
      return {
        ...toRequestedRun(row, checkpoint),
        trajectoryId: config.trajectory,
        turn: config.turn,
        samples: config.samples,
        temperature: evaluation.temperature,
        trajectories: played.map(toSummary),
      };
    }),
  );
}
