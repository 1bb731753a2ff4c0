import type pg from 'pg';
import { AppError } from '@/contract/errors';
import { isFinalStatus, type RunStatus } from '@/contract/run';
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
 * where the key is another command's, where the run is no such play, and where nothing more is carried out: the run has
 * ended, the episode is over, or its end was asked for.
 */
export async function giveCommand(
  database: Database,
  runId: string,
  { key, command }: PlayCommandRequest,
): Promise<GivenCommand> {
  return inTransaction(database, async (client) => {
    const { attempt, workerId, view } = await lockRun(client, runId);
    const given = JSON.stringify(safeJson(command));
    const known = await commandOfKey(client, runId, key, given);
    if (known) {
      if (known.isSame) return { number: known.number, workerId, attempt };
      throw new AppError(
        'conflict',
        `key ${key} is that of command ${known.number} of run ${runId}, which is another`,
        [{ path: 'key', message: 'expected a key of its own for each command' }],
      );
    }
    const play = await stateOfPlay(client, runId, attempt);
    const refusal = refusalOf(play, view.status);
    if (refusal !== null) throw new AppError('conflict', `run ${runId} takes no ${refusal}`);
    const { last } = play;
    if (last >= MAX_COMMANDS)
      throw new AppError('too_large', `run ${runId} was given ${last} commands, the most there may be`);
    const number = last + 1;
    await client.query(
      `INSERT INTO "RunCommand" ("runId", "number", "key", "command") VALUES ($1, $2, $3, $4)`,
      [runId, number, key, given],
    );
    return { number, workerId, attempt };
  });
}

/** The stored command of a key, and whether it is the one that is given now, as JSON; null where there is none. */
async function commandOfKey(
  client: pg.PoolClient,
  runId: string,
  key: string,
  given: string,
): Promise<{ number: number; isSame: boolean } | null> {
  const { rows } = await client.query<{ number: number; isSame: boolean }>(
    `SELECT "number", "command" = $3::jsonb AS "isSame" FROM "RunCommand" WHERE "runId" = $1 AND "key" = $2`,
    [runId, key, given],
  );
  return rows[0] ?? null;
}

interface PlayStanding {
  recipe: string;
  /** Number of the newest command; 0 = none. */
  last: number;
  /** Number of the command that ends the play; null = none was given. */
  ending: number | null;
  /** The attempt has said that nothing more is played. */
  isOver: boolean;
}

/** Why a further command would never be carried out, as the end of `run ID takes no`; null where it would. */
function refusalOf({ recipe, ending, isOver }: PlayStanding, status: RunStatus): string | null {
  if (recipe !== 'play') return `commands: its recipe is ${recipe}, not play`;
  if (isFinalStatus(status) || status === 'stopping') return `more commands: it is ${status}`;
  if (ending !== null) return `more commands: command ${ending} ends it`;
  return isOver ? 'more commands: its episode is over' : null;
}

async function stateOfPlay(client: pg.PoolClient, runId: string, attempt: number): Promise<PlayStanding> {
  const { rows } = await client.query<PlayStanding>(
    `SELECT "recipe",
       (SELECT COALESCE(max("number"), 0) FROM "RunCommand" WHERE "runId" = $1) AS "last",
       (SELECT min("number") FROM "RunCommand" WHERE "runId" = $1 AND "command" ->> 'kind' = 'end') AS "ending",
       COALESCE((SELECT ("payload" #>> '{moment,over}')::boolean FROM "RunEvent"
         WHERE "runId" = $1 AND "attempt" = $2 AND "kind" = 'play:advanced'
         ORDER BY "position" DESC LIMIT 1), false) AS "isOver"
     FROM "Run" WHERE "id" = $1`,
    [runId, attempt],
  );
  return rows[0] ?? { recipe: '', last: 0, ending: null, isOver: false };
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
