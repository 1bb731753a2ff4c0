import type { Datum } from '@/contract/engine';
import type { TurnTokens } from '@/rl/play';

/** A turn with the advantage its tokens share: one training row where a scaffold rebuilds its prompts. */
export interface Row extends TurnTokens {
  advantage: number;
}

/** How token losses of an update are averaged; verl's names. */
export type Aggregation = 'token-mean' | 'seq-mean-token-mean';

/**
 * Rows as data whose summed loss is the aggregated loss: the normaliser is folded into advantages and weights
 * (the clipped objective is linear in a positive factor). Prompt tokens bear no loss.
 */
export function rowsToData(rows: readonly Row[], aggregation: Aggregation): Datum[] {
  const replyTokens = rows.reduce((sum, row) => sum + row.reply.length, 0);
  return rows.map((row) => {
    const share = aggregation === 'token-mean' ? 1 / replyTokens : 1 / (rows.length * row.reply.length);
    return rowToDatum(row, share);
  });
}

/** One row; `share` is the weight of each reply token. */
function rowToDatum({ prompt, reply, logprobs, advantage }: Row, share: number): Datum {
  const sequence = [...prompt, ...reply];
  const prefix = new Array<number>(prompt.length - 1).fill(0);
  return {
    modelInput: sequence.slice(0, -1),
    lossFnInputs: {
      targetTokens: sequence.slice(1),
      weights: [...prefix, ...reply.map(() => share)],
      logprobs: [...prefix, ...logprobs],
      advantages: [...prefix, ...reply.map(() => advantage * share)],
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
