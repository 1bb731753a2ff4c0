import type { Turn } from '@/contract/trajectory';
import { KEPT_CHARACTERS, WHOLE_BYTES, WHOLE_TOKENS, type TurnCut } from '@/contract/trajectory-cut';
import type { Database } from '../database';
import { toTurn } from './records';
import { countLogprobs, meanLogprob } from './token-arrays';

const TEXTS = ['observation', 'prompt', 'reply', 'thought', 'memory'] as const;
const BYTES_A_TOKEN_ID = 4;

/** The turns of a trajectory in their order; with `mayCut` those of a long transcript are cut, and `cut` says what each lacks. */
export async function readTurns(
  database: Database,
  trajectoryId: bigint,
  mayCut: boolean,
): Promise<{ turns: Turn[]; cut: TurnCut[] | null }> {
  if (mayCut && (await isLong(database, trajectoryId))) return readCutTurns(database, trajectoryId);
  const rows = await database.prisma.turn.findMany({
    where: { trajectoryId },
    orderBy: { index: 'asc' },
  });
  return { turns: rows.map(toTurn), cut: null };
}

/** Sizes are read off the rows: no text and no array is opened for it. */
async function isLong(database: Database, trajectoryId: bigint): Promise<boolean> {
  const bytes = TEXTS.map((name) => `coalesce(octet_length("${name}"), 0)`).join(' + ');
  const { rows } = await database.pool.query<{ bytes: string; idBytes: string }>(
    `SELECT coalesce(sum(${bytes}), 0) AS bytes, coalesce(sum(octet_length("tokenIds")), 0) AS "idBytes"
     FROM "Turn" WHERE "trajectoryId" = $1`,
    [trajectoryId],
  );
  const [sizes] = rows;
  return Number(sizes?.bytes) > WHOLE_BYTES || Number(sizes?.idBytes) / BYTES_A_TOKEN_ID > WHOLE_TOKENS;
}

/** Texts are cut where they lie: the megabytes beyond are not read for a page that does not show them. */
async function readCutTurns(
  database: Database,
  trajectoryId: bigint,
): Promise<{ turns: Turn[]; cut: TurnCut[] }> {
  const texts = TEXTS.map((name) => `left("${name}", ${KEPT_CHARACTERS}) AS "${name}"`).join(', ');
  const lengths = TEXTS.map((name) => `coalesce(length("${name}"), 0)`).join(' + ');
  const [{ rows }, logprobs] = await Promise.all([
    database.pool.query<CutRow>(
      `SELECT "index", "availableActions", "action", "formatOk", "admissible", "valid", "reward", "promptTokens",
         "replyTokens", "picture", "stateHash", ${texts}, ${lengths} AS characters
       FROM "Turn" WHERE "trajectoryId" = $1 ORDER BY "index"`,
      [trajectoryId],
    ),
    readLogprobs(database, trajectoryId),
  ]);
  return {
    turns: rows.map(({ characters: _characters, ...turn }) => ({
      ...turn,
      observation: kept(turn.observation),
      prompt: turn.prompt && kept(turn.prompt),
      reply: kept(turn.reply),
      thought: turn.thought && kept(turn.thought),
      memory: turn.memory && kept(turn.memory),
      tokens: null,
    })),
    cut: rows.map(({ index, characters }) => {
      const bytes = logprobs.get(index);
      return {
        index,
        characters,
        tokens: bytes ? countLogprobs(bytes) : 0,
        meanLogprob: bytes ? meanLogprob(bytes) : null,
      };
    }),
  };
}

type CutRow = Omit<Turn, 'tokens'> & { characters: number };

async function readLogprobs(database: Database, trajectoryId: bigint): Promise<Map<number, Buffer>> {
  const { rows } = await database.pool.query<{ index: number; tokenLogprobs: Buffer }>(
    `SELECT "index", "tokenLogprobs" FROM "Turn"
     WHERE "trajectoryId" = $1 AND "tokenIds" IS NOT NULL AND "tokenLogprobs" IS NOT NULL`,
    [trajectoryId],
  );
  return new Map(rows.map(({ index, tokenLogprobs }) => [index, tokenLogprobs]));
}

/** The beginning of a text, no half of a surrogate pair at its end. */
function kept(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}
