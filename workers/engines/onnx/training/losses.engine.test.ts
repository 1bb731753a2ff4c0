import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { outsideDataDir } from '../../../env';
import { Tape } from '../graph/tape';
import type { ModelConfig } from '../model/parameters';
import { openSession } from '../session';
import { targetedSequences } from './datum-targets';
import { crossEntropyLoss, policyLoss } from './losses';
import { microBatchFeeds, microBatches } from './micro-batch';
import { packRows } from './packing';
import { outputData, batchFeeds } from './tensors';

/** All that checks of data read of a model. */
const model = { vocabularySize: 50, maxPositions: 64 } as ModelConfig;

/** The losses' graph alone, in f64: log-probabilities [E] and entropies [M] go in. */
function lossGraph(lossFn: LossFn): Uint8Array {
  const tape = new Tape('f64', false);
  const logprobs = tape.input('logprobs', 'f64', ['targets'], true);
  const parameters = new Map([['logprobs', logprobs]]);
  let loss;
  if (lossFn === 'cross_entropy') loss = crossEntropyLoss(tape, logprobs);
  else loss = policyLoss(tape, lossFn, logprobs, tape.input('entropies', 'f64', ['positions']));
  tape.output(loss, 'loss');
  for (const gradient of tape.gradients(loss, parameters).values()) tape.output(gradient, 'gradient');
  return tape.encode();
}

/** Loss and d loss / d log-probability [sequence][position] of data at given log-probabilities; entropies are all 2. */
async function lossAt(
  data: Datum[],
  logprobs: readonly (readonly number[])[],
  lossFn: LossFn,
  config: LossFnConfig,
): Promise<{ loss: number; gradient: number[][] }> {
  const rows = packRows(targetedSequences(data, lossFn, config, model), { share: false });
  const [batch, ...more] = microBatches(rows, 1 << 20);
  if (!batch || more.length > 0) throw new Error('the data make one micro-batch');
  const feeds = microBatchFeeds(batch, lossFn, config, model.vocabularySize);
  const targetCount = feeds.arrays.targets?.data.length ?? 0;
  const atTargets = new Float64Array(targetCount);
  const places: { sequence: number; position: number; index: number }[] = [];
  batch.rows.forEach((row, line) => {
    for (const { sequence, position, target } of row.readings) {
      const index = (feeds.firstTarget[line] ?? 0) + target;
      atTargets[index] = logprobs[sequence]?.[position] ?? NaN;
      places.push({ sequence, position, index });
    }
  });
  const { tokens: _t, positions: _p, predicted, targets: _e, ...lossArrays } = feeds.arrays;
  const entropies = {
    data: new Float64Array(predicted?.data.length ?? 0).fill(2),
    shape: predicted?.shape ?? [],
  };
  const arrays = {
    ...lossArrays,
    logprobs: { data: atTargets, shape: [targetCount] },
    ...(lossFn !== 'cross_entropy' && { entropies }),
  };
  const { mask: _m, ...tensors } = batchFeeds({ ...feeds, arrays }, 'f64');
  const session = await openSession(lossGraph(lossFn));
  const outputs = await session.run(tensors);
  const gradients = outputData(outputs, 'gradient');
  const gradient = data.map(({ modelInput }) => modelInput.map(() => 0));
  for (const { sequence, position, index } of places) {
    const line = gradient[sequence];
    if (line) line[position] = gradients[index] ?? NaN;
  }
  return { loss: outputData(outputs, 'loss')[0] ?? NaN, gradient };
}

/** One datum: the targets' weights, advantages and log-probabilities. Tokens differ by row, so that none is shared. */
function datum(
  row: number,
  tensors: { weights: number[]; advantages?: number[]; logprobs?: number[]; referenceLogprobs?: number[] },
): Datum {
  const tokens = tensors.weights.map(() => row);
  return { modelInput: tokens, lossFnInputs: { targetTokens: tokens, ...tensors } };
}

/** log 2 and log 4, for ratios of 2, 1/2, 4 and 1/4. */
const LOG_2 = Math.log(2);
const LOG_4 = Math.log(4);

describe('a loss worked by hand', () => {
  it('cross_entropy: -sum(weight lp)', async () => {
    const data = [datum(1, { weights: [0.5, 0, 2] })];
    const { loss, gradient } = await lossAt(data, [[-1, -9, -3]], 'cross_entropy', {});
    expect(loss).toBeCloseTo(0.5 + 6, 12);
    expect(gradient).toEqual([[-0.5, 0, -2]]);
  });

  it('importance_sampling: -r A of any ratio', async () => {
    const data = [datum(1, { weights: [1, 1, 1], advantages: [3, -1, 0], logprobs: [-LOG_2, -1, -1] })];
    const { loss, gradient } = await lossAt(data, [[0, -1 - LOG_4, -1]], 'importance_sampling', {});
    // Ratios 2 and 1/4.
    expect(loss).toBeCloseTo(-6 + 0.25, 12);
    expect(gradient[0]?.map((slope) => +slope.toFixed(12))).toEqual([-6, 0.25, 0]);
  });

  /** Ratios 2, 1/2, 2, 1/2, 4, and each sign of advantage outside the bounds 0.8 and 1.2. */
  const outside = [
    datum(1, { weights: [1, 1, 1, 1, 1], advantages: [1, 1, -1, -1, -1], logprobs: [-1, -1, -1, -1, -1.5] }),
  ];
  const outsideLogprobs = [[-1 + LOG_2, -1 - LOG_2, -1 + LOG_2, -1 - LOG_2, -1.5 + LOG_4]];

  it('ppo: the ratio is clipped where that is the worse of both, and moves nothing there', async () => {
    const { loss, gradient } = await lossAt(outside, outsideLogprobs, 'ppo', {});
    expect(loss).toBeCloseTo(-1.2 - 0.5 + 2 + 0.8 + 4, 12);
    expect(gradient[0]?.map((slope) => +slope.toFixed(12))).toEqual([0, -0.5, 2, 0, 4]);
  });

  it('ppo with a dual clip: a negative advantage weighs no more than the bound', async () => {
    const { loss, gradient } = await lossAt(outside, outsideLogprobs, 'ppo', { dualClip: 3 });
    expect(loss).toBeCloseTo(-1.2 - 0.5 + 2 + 0.8 + 3, 12);
    expect(gradient[0]?.map((slope) => +slope.toFixed(12))).toEqual([0, -0.5, 2, 0, 0]);
  });

  it('cispo: the clipped ratio is a constant factor of lp, so a clipped target still learns', async () => {
    const { loss, gradient } = await lossAt(outside, outsideLogprobs, 'cispo', {});
    const [lp = []] = outsideLogprobs;
    const factors = [1.2, 0.8, -1.2, -0.8, -1.2];
    expect(loss).toBeCloseTo(-factors.reduce((sum, factor, t) => sum + factor * (lp[t] ?? NaN), 0), 12);
    expect(gradient[0]?.map((slope) => +slope.toFixed(12))).toEqual(factors.map((factor) => -factor));
  });

  it('gspo: every target has its sequence’s ratio, the mean being over what has weight or advantage', async () => {
    const data = [
      // Log ratios log 4, 0 and one that is neither weighted nor advantaged: the mean of two is log 2.
      datum(1, { weights: [1, 1, 0], advantages: [1, -1, 0], logprobs: [-2, -2, NaN] }),
      // Mean of log 4 and -log 4: ratio 1, though each token's own is out of bounds.
      datum(2, { weights: [1, 1], advantages: [3, 3], logprobs: [-2, -2] }),
      // A target without advantage counts in the mean: log 4 over two is log 2.
      datum(3, { weights: [1, 1], advantages: [-1, 0], logprobs: [-2, -2] }),
    ];
    const logprobs = [
      [-2 + LOG_4, -2, -7],
      [-2 + LOG_4, -2 - LOG_4],
      [-2 + LOG_4, -2],
    ];
    const { loss, gradient } = await lossAt(data, logprobs, 'gspo', {});
    expect(loss).toBeCloseTo(-1.2 + 2 - 6 + 2, 12);
    expect(gradient.map((row) => row.map((slope) => +slope.toFixed(12) + 0))).toEqual([
      [0, 2, 0],
      [-3, -3],
      [2, 0],
    ]);
  });

  it.each(['importance_sampling', 'ppo', 'cispo', 'gspo'] as const)(
    '%s has the entropy and KL terms beside it',
    async (lossFn) => {
      const tensors = { weights: [0.5, 1], advantages: [1, -1], logprobs: [-1, -1] };
      const plain = await lossAt([datum(1, tensors)], [[-1.1, -1.1]], lossFn, {});
      const data = [datum(1, { ...tensors, referenceLogprobs: [-1.1 + LOG_2, -1.1] })];
      const terms = await lossAt(data, [[-1.1, -1.1]], lossFn, { entropyCoef: 0.1, klCoef: 0.2 });
      // Entropies of 2 nats; k3 of a distance log 2 is 2 - log 2 - 1.
      expect(terms.loss - plain.loss).toBeCloseTo(-0.1 * 1.5 * 2 + 0.2 * 0.5 * (1 - LOG_2), 12);
      expect((terms.gradient[0]?.[0] ?? NaN) - (plain.gradient[0]?.[0] ?? NaN)).toBeCloseTo(
        0.2 * 0.5 * (1 - 2),
        12,
      );
      expect(terms.gradient[0]?.[1]).toBeCloseTo(plain.gradient[0]?.[1] ?? NaN, 12);
    },
  );
});

const golden = join(outsideDataDir(), 'golden', 'rl');
const Rows = z.array(z.array(z.number()));
const tolerance = z.object({ relative: z.number(), absolute: z.number() });
const Batch = z.object({ old_log_prob: Rows, log_prob: Rows, advantages: Rows, response_mask: Rows });
const Clip = z.object({
  clip_ratio: z.number(),
  clip_ratio_low: z.number().nullable(),
  clip_ratio_high: z.number().nullable(),
  clip_ratio_c: z.number(),
});
const outputs = z.object({ pg_loss: z.number(), grad_log_prob: Rows });

function read<T>(schema: z.ZodType<T>, name: string): T {
  return schema.parse(JSON.parse(readFileSync(join(golden, `${name}.json`), 'utf8')));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What one token of a row counts, by verl's names; its mean over a row's tokens has 1e-8 beside their count. */
function shareOf(mode: string, mask: readonly (readonly number[])[], row: readonly number[]): number {
  const rows = mask.filter((each) => sumOf(each) > 0).length;
  switch (mode) {
    case 'token-mean':
      return 1 / sumOf(mask.map(sumOf));
    case 'seq-mean-token-sum':
      return 1 / rows;
    case 'seq-mean-token-mean':
      return 1 / (rows * (sumOf(row) + 1e-8));
    case 'seq-mean-token-sum-norm':
      return 1 / row.length;
    default:
      throw new Error(`unknown aggregation ${mode}`);
  }
}

async function expectGolden(
  lossFn: LossFn,
  inputs: z.infer<typeof Batch>,
  config: LossFnConfig,
  share: (row: readonly number[], index: number, t: number) => number,
  { expected, allowed }: { expected: z.infer<typeof outputs>; allowed: z.infer<typeof tolerance> },
): Promise<void> {
  const data = inputs.response_mask.map((mask, row) =>
    datum(row, {
      weights: mask,
      logprobs: inputs.old_log_prob[row] ?? [],
      advantages: mask.map((on, t) => on * share(mask, row, t) * (inputs.advantages[row]?.[t] ?? NaN)),
    }),
  );
  const { loss, gradient } = await lossAt(data, inputs.log_prob, lossFn, config);
  const isNear = (actual: number, wanted: number): boolean =>
    Math.abs(actual - wanted) <= allowed.absolute + allowed.relative * Math.abs(wanted);
  expect(isNear(loss, expected.pg_loss), `${loss} for ${expected.pg_loss}`).toBe(true);
  expected.grad_log_prob.forEach((row, index) =>
    row.forEach((wanted, t) => {
      const actual = gradient[index]?.[t] ?? NaN;
      expect(isNear(actual, wanted), `[${index}][${t}]: ${actual} for ${wanted}`).toBe(true);
    }),
  );
}

function thresholds({ clip_ratio: both, clip_ratio_low: low, clip_ratio_high: high }: z.infer<typeof Clip>) {
  return { clipLowThreshold: 1 - (low ?? both), clipHighThreshold: 1 + (high ?? both) };
}

describe.skipIf(!existsSync(golden))('the graph agrees with recorded losses and gradients', () => {
  it('of verl’s ppo with its dual clip, in every aggregation', async () => {
    const Vanilla = z.object({
      tolerance,
      cases: z.array(
        z.object({
          name: z.string(),
          inputs: Batch.extend({
            loss_agg_mode: z.string(),
            config: Clip,
            rollout_is_weights: Rows.optional(),
            global_batch_info: z.object({ dp_size: z.number(), batch_num_tokens: z.number() }).optional(),
          }),
          outputs,
        }),
      ),
    });
    const { cases, tolerance: allowed } = read(Vanilla, 'verl_compute_policy_loss_vanilla');
    expect(cases.length).toBeGreaterThan(20);
    for (const { inputs, outputs: expected } of cases) {
      const { config, global_batch_info: whole, rollout_is_weights: corrections } = inputs;
      const share = (row: readonly number[], index: number, t: number) =>
        (whole
          ? whole.dp_size / whole.batch_num_tokens
          : shareOf(inputs.loss_agg_mode, inputs.response_mask, row)) * (corrections?.[index]?.[t] ?? 1);
      const settings = { ...thresholds(config), dualClip: config.clip_ratio_c };
      await expectGolden('ppo', inputs, settings, share, { expected, allowed });
    }
  });

  it('of AgentGym-RL’s ppo without one', async () => {
    const AgentGym = z.object({
      tolerance,
      cases: z.array(
        z.object({ name: z.string(), inputs: Batch.extend({ cliprange: z.number() }), outputs }),
      ),
    });
    const { cases, tolerance: allowed } = read(AgentGym, 'agentgymrl_compute_policy_loss');
    expect(cases.length).toBeGreaterThan(4);
    for (const { inputs, outputs: expected } of cases) {
      const settings = { clipLowThreshold: 1 - inputs.cliprange, clipHighThreshold: 1 + inputs.cliprange };
      const share = (row: readonly number[]) => shareOf('token-mean', inputs.response_mask, row);
      await expectGolden('ppo', inputs, settings, share, { expected, allowed });
    }
  });

  it('of verl’s gspo', async () => {
    const Gspo = z.object({
      tolerance,
      cases: z.array(z.object({ name: z.string(), inputs: Batch.extend({ config: Clip }), outputs })),
    });
    const { cases, tolerance: allowed } = read(Gspo, 'verl_compute_policy_loss_gspo');
    expect(cases.length).toBeGreaterThan(6);
    for (const { inputs, outputs: expected } of cases) {
      const share = (row: readonly number[]) => shareOf('seq-mean-token-mean', inputs.response_mask, row);
      await expectGolden('gspo', inputs, thresholds(inputs.config), share, { expected, allowed });
    }
  });
});
