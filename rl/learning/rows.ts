import type { Datum } from '@/contract/engine';
import type { CallTokens } from '@/rl/play';

/** A training sequence: a prompt and what follows it, of which the sampled tokens share an advantage. */
export interface Row {
  prompt: number[];
  /** Sampled tokens, and between two replies of a conversation what it was told. */
  reply: number[];
  /** The sampler's log-probability of each token of `reply`; 0 where the token was not sampled. */
  logprobs: number[];
  /** Which tokens of `reply` were sampled: they alone bear loss. */
  sampled: boolean[];
  advantage: number;
}

/**
 * The calls of an episode as rows. A call whose prompt goes on, id by id, from the last row's end joins that row, so
 * that a conversation that only grew is one sequence; any other begins a row.
 */
export function rowsOf(calls: readonly CallTokens[], advantage: number): Row[] {
  const rows: Row[] = [];
  for (const { prompt, reply, logprobs } of calls) {
    const last = rows[rows.length - 1];
    const told = last && extensionOf(last, prompt);
    if (last && told) {
      last.reply = [...last.reply, ...told, ...reply];
      last.logprobs = [...last.logprobs, ...told.map(() => 0), ...logprobs];
      last.sampled = [...last.sampled, ...told.map(() => false), ...reply.map(() => true)];
    } else {
      rows.push({ prompt, reply, logprobs, sampled: reply.map(() => true), advantage });
    }
  }
  return rows;
}

/** What `prompt` adds to a row's tokens; null where it does not begin with them. */
function extensionOf({ prompt: start, reply }: Row, prompt: readonly number[]): number[] | null {
  const length = start.length + reply.length;
  if (prompt.length < length) return null;
  const isSame =
    start.every((id, i) => prompt[i] === id) && reply.every((id, i) => prompt[start.length + i] === id);
  return isSame ? prompt.slice(length) : null;
}

/** How token losses of an update are averaged; verl's names. */
export type Aggregation = 'token-mean' | 'seq-mean-token-mean';

/**
 * Rows as data whose summed loss is the aggregated loss: the normaliser is folded into advantages and weights
 * (the clipped objective is linear in a positive factor). Prompt tokens bear no loss.
 */
export function rowsToData(rows: readonly Row[], aggregation: Aggregation): Datum[] {
  const sampledTokens = rows.reduce((sum, row) => sum + sampledCount(row), 0);
  return rows.map((row) => {
    const share = aggregation === 'token-mean' ? 1 / sampledTokens : 1 / (rows.length * sampledCount(row));
    return rowToDatum(row, share);
  });
}

function sampledCount({ sampled }: Row): number {
  return sampled.filter(Boolean).length;
}

/** One row; `share` is the weight of each sampled token. */
function rowToDatum({ prompt, reply, logprobs, sampled, advantage }: Row, share: number): Datum {
  const sequence = [...prompt, ...reply];
  const prefix = new Array<number>(prompt.length - 1).fill(0);
  const weights = [...prefix, ...sampled.map((isSampled) => (isSampled ? share : 0))];
  return {
    modelInput: sequence.slice(0, -1),
    lossFnInputs: {
      targetTokens: sequence.slice(1),
      weights,
      logprobs: [...prefix, ...logprobs],
      advantages: weights.map((weight) => advantage * weight),
    },
  };
}

/**
 * Splits rows into `count` minibatches of nearly equal row counts. Rows of one prompt stay together, since the
 * engine computes a shared prompt once; `order` gives each prompt its place.
 */
export function minibatchesOf(
  rows: readonly Row[],
  count: number,
  order: (prompts: string[]) => string[],
): Row[][] {
  const byPrompt = new Map<string, Row[]>();
  for (const row of rows) {
    const key = row.prompt.join();
    const same = byPrompt.get(key);
    if (same) same.push(row);
    else byPrompt.set(key, [row]);
  }
  const ordered = order([...byPrompt.keys()]).flatMap((key) => byPrompt.get(key) ?? []);
  const size = Math.ceil(ordered.length / count);
  return Array.from({ length: count }, (_, i) => ordered.slice(i * size, (i + 1) * size)).filter(
    (part) => part.length,
  );
}
