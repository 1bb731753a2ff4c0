import type { Datum } from '@/contract/engine';
import type { CallTokens } from '@/rl/play';
import { tokenWeights, type Aggregation, type AggregationSettings } from './aggregation';

/** A training sequence: a prompt and what follows it, of which the sampled tokens have advantages. */
export interface Row {
  prompt: number[];
  /** Sampled tokens, and between two replies of a conversation what it was told. */
  reply: number[];
  /** The sampler's log-probability of each token of `reply`; 0 where the token was not sampled. */
  logprobs: number[];
  /** Which tokens of `reply` bear loss: those that were sampled, but for calls left out. */
  sampled: boolean[];
  /** Of each token of `reply`; 0 where it bears no loss. */
  advantages: number[];
  /** A teacher's log-probability of each token of `reply`, 0 where it was not sampled; absent where no teacher was asked. */
  teacherLogprobs?: number[];
}

/** The tokens of one call to the policy. */
export type RowCall = Pick<CallTokens, 'prompt' | 'reply' | 'logprobs' | 'teacherLogprobs'>;

/**
 * Advantage of a call's sampled tokens: one for all of them, or one each. `null`: the call bears no loss, but stays in the
 * sequence that later ones go on from.
 */
export type CallAdvantage = number | readonly number[] | null;

/**
 * The calls of an episode as rows. A call whose prompt goes on, id by id, from the last row's end joins that row, so
 * that a conversation that only grew is one sequence; any other begins a row. Rule of tinker-cookbook's
 * `trajectory_to_data` and rLLM's `_process_trajectory`. `advantages` is one for all calls, or one for each.
 */
export function rowsOf(calls: readonly RowCall[], advantages: number | readonly CallAdvantage[]): Row[] {
  const rows: Row[] = [];
  calls.forEach(({ prompt, reply, logprobs, teacherLogprobs }, index) => {
    const given = typeof advantages === 'number' ? advantages : (advantages[index] ?? null);
    const sampled = reply.map(() => given !== null);
    const replyAdvantages = reply.map((_, t) => (typeof given === 'number' ? given : (given?.[t] ?? 0)));
    const last = rows[rows.length - 1];
    const told = last && extensionOf(last, prompt);
    if (last && told) {
      last.reply = [...last.reply, ...told, ...reply];
      last.logprobs = [...last.logprobs, ...told.map(() => 0), ...logprobs];
      last.sampled = [...last.sampled, ...told.map(() => false), ...sampled];
      last.advantages = [...last.advantages, ...told.map(() => 0), ...replyAdvantages];
      if (last.teacherLogprobs && teacherLogprobs)
        last.teacherLogprobs = [...last.teacherLogprobs, ...told.map(() => 0), ...teacherLogprobs];
    } else {
      const row: Row = { prompt, reply, logprobs, sampled, advantages: replyAdvantages };
      rows.push({ ...row, ...(teacherLogprobs && { teacherLogprobs }) });
    }
  });
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

/**
 * Rows as data whose summed loss is the aggregated loss: the normaliser is folded into advantages and weights
 * (the clipped objective is linear in a positive factor). Prompt tokens bear no loss.
 */
export function rowsToData(
  rows: readonly Row[],
  aggregation: Aggregation,
  settings?: AggregationSettings,
): Datum[] {
  const weights = tokenWeights(
    rows.map(({ sampled }) => sampled.map(Number)),
    aggregation,
    settings,
  );
  return rows.map((row, index) => rowToDatum(row, weights[index] ?? []));
}

/**
 * One row, its targets being the sequence shifted left by one. `weights` are those of the reply's tokens; each advantage is
 * times its token's.
 */
export function rowToDatum({ prompt, reply, logprobs, advantages }: Row, weights: readonly number[]): Datum {
  const sequence = [...prompt, ...reply];
  // Nothing predicts the first token of a sequence, be it a prompt's or, without one, a reply's.
  const targets = (values: readonly number[]) => [...prompt.map(() => 0), ...values].slice(1);
  return {
    modelInput: sequence.slice(0, -1),
    lossFnInputs: {
      targetTokens: sequence.slice(1),
      weights: targets(weights),
      logprobs: targets(logprobs),
      advantages: targets(advantages.map((advantage, t) => advantage * (weights[t] ?? NaN))),
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
