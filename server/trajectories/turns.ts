import type { Turn } from '@/contract/trajectory';
import { KEPT_CHARACTERS, WHOLE_BYTES, WHOLE_TOKENS, type TurnCut } from '@/contract/trajectory-cut';
import type { Database } from '../database';
import { toTurn } from './records';
import { decodeLogprobs } from './token-arrays';

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

async function readCutTurns(
  database: Database,
  trajectoryId: bigint,
): Promise<{ turns: Turn[]; cut: TurnCut[] }> {
  const rows = await database.prisma.turn.findMany({
    where: { trajectoryId },
    omit: { tokenIds: true, tokenTexts: true, tokenEntropies: true, tokenTeacherLogprobs: true },
    orderBy: { index: 'asc' },
  });
  const cut = rows.map((row): TurnCut => {
    const logprobs = row.tokenLogprobs ? decodeLogprobs(row.tokenLogprobs) : [];
    const sampled = logprobs.filter((logprob) => logprob !== null);
    return {
      index: row.index,
      characters: TEXTS.reduce((sum, name) => sum + (row[name]?.length ?? 0), 0),
      tokens: logprobs.length,
      meanLogprob:
        sampled.length === 0 ? null : sampled.reduce((sum, logprob) => sum + logprob, 0) / sampled.length,
    };
  });
  const turns = rows.map((row): Turn =>
    toTurn({
      ...row,
      observation: kept(row.observation),
      prompt: row.prompt && kept(row.prompt),
      reply: kept(row.reply),
      thought: row.thought && kept(row.thought),
      memory: row.memory && kept(row.memory),
      tokenIds: null,
      tokenTexts: [],
      tokenLogprobs: null,
      tokenEntropies: null,
      tokenTeacherLogprobs: null,
    }),
  );
  return { turns, cut };
}

/** The beginning of a text, no half of a surrogate pair at its end. */
function kept(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}
