import { AppError } from '@/contract/errors';
import { isFinalStatus } from '@/contract/run';
import { PlayCommand, type PlayCommandRequest, type StoredCommand } from '@/contract/play';
import type { CommandsAfter } from '@/contract/socket';
import { inTransaction, type Database } from '../database';
import { safeJson } from '../ingest/safe-text';
import { lockRun } from '../runs/locked-run';

/** Most commands a worker is given at once. */
const PAGE = 100;
/** Most commands of one play: a play has far fewer turns. */
const MAX_COMMANDS = 10_000;

/** A command that was stored, and who is to be told of it; no worker where none holds the run. */
export interface GivenCommand {
  number: number;
  workerId: string | null;
  attempt: number;
}

/**
 * Stores what a person tells a play by hand; one that came before, by its key, is not stored again. Throws `conflict`
 * where the run is no such play, or has ended.
 */
export async function giveCommand(
  database: Database,
  runId: string,
  { key, command }: PlayCommandRequest,
): Promise<GivenCommand> {
  return inTransaction(database, async (client) => {
    const { attempt, workerId, view } = await lockRun(client, runId);
    const { rows: known } = await client.query<{ number: number }>(
      `SELECT "number" FROM "RunCommand" WHERE "runId" = $1 AND "key" = $2`,
      [runId, key],
    );
    if (known[0]) return { number: known[0].number, workerId, attempt };
    const { rows } = await client.query<{ recipe: string; last: number }>(
      `SELECT "recipe", (SELECT COALESCE(max("number"), 0) FROM "RunCommand" WHERE "runId" = $1) AS "last"
       FROM "Run" WHERE "id" = $1`,
      [runId],
    );
    const { recipe = '', last = 0 } = rows[0] ?? {};
    if (recipe !== 'play')
      throw new AppError('conflict', `run ${runId} takes no commands: its recipe is ${recipe}, not play`);
    if (isFinalStatus(view.status) || view.status === 'stopping')
      throw new AppError('conflict', `run ${runId} takes no more commands: it is ${view.status}`);
    if (last >= MAX_COMMANDS)
      throw new AppError('too_large', `run ${runId} was given ${last} commands, the most there may be`);
    const number = last + 1;
    await client.query(
      `INSERT INTO "RunCommand" ("runId", "number", "key", "command") VALUES ($1, $2, $3, $4)`,
      [runId, number, key, JSON.stringify(safeJson(command))],
    );
    return { number, workerId, attempt };
  });
}

/** The commands after a number, oldest first, for the worker that the attempt is of; throws `forbidden` for another. */
export async function commandsAfter(
  database: Database,
  workerId: string,
  { runId, attempt, after }: CommandsAfter,
): Promise<StoredCommand[]> {
  const { rowCount } = await database.pool.query(
    `SELECT FROM "Attempt" WHERE "runId" = $1 AND "attempt" = $2 AND "workerId" = $3`,
    [runId, attempt, workerId],
  );
  if (rowCount === 0)
    throw new AppError('forbidden', `attempt ${attempt} of run ${runId} is not of worker ${workerId}`);
  const rows = await database.prisma.runCommand.findMany({
    where: { runId, number: { gt: after } },
    select: { number: true, command: true },
    orderBy: { number: 'asc' },
    take: PAGE,
  });
  return rows.map(({ number, command }) => ({ number, command: PlayCommand.parse(command) }));
}
