import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import type { Datum } from '@/contract/engine';
import type { ModelConfig } from '../model/parameters';
import { targetedSequences } from './datum-targets';
import { microBatchFeeds, microBatches } from './micro-batch';
import { packRows, rowLengthFor } from './packing';
import { randomData } from '../../../testing/random-data';
import type { TokenTree } from './token-tree';

const model: ModelConfig = {
  vocabularySize: 50,
  hiddenSize: 16,
  layers: 1,
  heads: 2,
  keyValueHeads: 1,
  intermediateSize: 8,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: true,
  maxPositions: 600,
};

/** A prompt and a reply whose targets have the advantage and the log-probability -1. */
function datum(prompt: number[], reply: number[], advantage = 1, logprob = -1): Datum {
  const sequence = [...prompt, ...reply];
  const onReply = (value: number) =>
    sequence.slice(1).map((_, position) => (position >= prompt.length - 1 ? value : 0));
  return {
    modelInput: sequence.slice(0, -1),
    lossFnInputs: {
      targetTokens: sequence.slice(1),
      weights: onReply(1),
      logprobs: onReply(logprob),
      advantages: onReply(advantage),
    },
  };
}

const pack = (data: Datum[]) => packRows(targetedSequences(data, 'ppo', {}, model));

/** The tokens a node sees, by walking its parents. */
function pathOf(row: TokenTree, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = row.parents[at] ?? -1) path.unshift(row.tokens[at] ?? -1);
  return path;
}

describe('packRows', () => {
  it('computes a shared prompt once and branches at the replies', () => {
    const [row, ...others] = pack([datum([1, 2, 3], [4, 5]), datum([1, 2, 3], [6, 7])]);
    expect(others).toEqual([]);
    expect(row?.tokens).toEqual([1, 2, 3, 4, 6]);
    expect(row?.parents).toEqual([-1, 0, 1, 2, 2]);
    expect(row?.depths).toEqual([0, 1, 2, 3, 3]);
    expect(row?.targets.map(({ node, token }) => [node, token])).toEqual([
      [2, 4],
      [3, 5],
      [2, 6],
      [4, 7],
    ]);
  });

  it('sums weights, and advantages by sign, of equal targets', () => {
    const [row] = pack([2, 3, -4].map((advantage) => datum([1, 2], [3], advantage)));
    expect(row?.targets).toEqual([
      {
        node: 1,
        token: 3,
        weight: 3,
        positiveAdvantage: 5,
        negativeAdvantage: -4,
        oldLogprob: -1,
        referenceLogprob: undefined,
      },
    ]);
    expect(row?.readings.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  });

  it('knows what each sequence gave to an equal target', () => {
    const [row] = pack([datum([1, 2], [3, 4], 2), datum([1, 2], [3], -4)]);
    expect(
      row
        ?.readingsBySequence()
        .map((readings) => readings.map(({ target, advantage }) => [target, advantage])),
    ).toEqual([
      [
        [0, 2],
        [1, 2],
      ],
      [[0, -4]],
    ]);
  });

  it('keeps equal tokens of different sampling policies apart', () => {
    const [row] = pack([datum([1, 2], [3]), datum([1, 2], [3], 1, -1.01), datum([1, 2], [3], 1, -1.000001)]);
    expect(row?.tokens).toEqual([1, 2, 2]);
    expect(row?.targets.map(({ positiveAdvantage }) => positiveAdvantage)).toEqual([2, 1]);
  });

  it('lets every target see exactly its own sequence, for any data', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = createRandom(seed);
      const data = randomData(random, {
        vocabularySize: 3,
        prompts: 6,
        replies: 5,
        promptLength: 4 + random.integer(30),
        replyLength: 1 + random.integer(12),
        sharedLength: random.integer(4),
      });
      const seen = new Set<string>();
      for (const row of pack(data)) {
        expect(row.size).toBeLessThanOrEqual(rowLengthFor(row.size));
        for (const { sequence, position, target } of row.readings) {
          const { modelInput, lossFnInputs } = data[sequence] ?? datum([], []);
          const found = row.targets[target];
          expect(found?.token).toBe(lossFnInputs.targetTokens[position]);
          expect(pathOf(row, found?.node ?? -1)).toEqual(modelInput.slice(0, position + 1));
          seen.add(`${sequence} ${position}`);
        }
      }
      const wanted = data.flatMap(({ lossFnInputs }, sequence) =>
        (lossFnInputs.advantages ?? []).flatMap((advantage, position) =>
          advantage !== 0 || lossFnInputs.weights?.[position] !== 0 ? [`${sequence} ${position}`] : [],
        ),
      );
      expect([...seen].sort()).toEqual(wanted.sort());
    }
  });

  it('gives long sequences long rows and keeps the rest within 128 tokens', () => {
    const long = Array.from({ length: 400 }, (_, index) => index % 50);
    const random = createRandom(1);
    const draw = (count: number) => Array.from({ length: count }, () => random.integer(50));
    const prompts = Array.from({ length: 40 }, () => draw(20));
    const short = prompts.flatMap((prompt) => Array.from({ length: 4 }, () => datum(prompt, draw(8))));
    const rows = pack([datum(long, [1, 2]), ...short]);
    expect(rows.filter((row) => row.size > 128)).toHaveLength(1);
    const tokens = rows.reduce((sum, row) => sum + row.size, 0);
    // 40 prompts of 20 tokens with 4 replies of 7 more, and the long one; replies that begin alike save a few.
    expect(tokens).toBeLessThanOrEqual(40 * 48 + 401);
    expect(tokens).toBeGreaterThan(0.98 * (40 * 48 + 401));
    expect(tokens / rows.reduce((sum, row) => sum + rowLengthFor(row.size), 0)).toBeGreaterThan(0.75);
  });

  it('leaves out data without weight or advantage', () => {
    expect(pack([datum([1, 2], [3], 0)])).toHaveLength(1);
    const silent = datum([1, 2], [3], 0);
    silent.lossFnInputs.weights = [0, 0];
    expect(pack([silent])).toEqual([]);
  });
});

describe('microBatches', () => {
  it('holds the token bound with padding, and computes a longer row alone', () => {
    const long = Array.from({ length: 300 }, (_, index) => index % 50);
    const data = [
      datum(long, [1]),
      ...Array.from({ length: 9 }, (_, index) => datum(long.slice(0, 100 - index), [9])),
    ];
    const batches = microBatches(packRows(targetedSequences(data, 'ppo', {}, model), { share: false }), 256);
    expect(batches.map(({ rowLength, rows }) => [rowLength, rows.length])).toEqual([
      [512, 1],
      [128, 2],
      [128, 2],
      [128, 2],
      [128, 2],
      [128, 1],
    ]);
  });

  it('masks all but a token and those before it in its sequence, padding seeing itself', () => {
    const [batch] = microBatches(pack([datum([1, 2], [3, 4]), datum([1, 2], [5, 6])]), 2048);
    if (!batch) throw new Error('one micro-batch');
    const { mask, arrays } = microBatchFeeds(batch, 'ppo', {}, model.vocabularySize);
    const sees = (query: number) =>
      [...mask.data.subarray(query * 128, (query + 1) * 128)].flatMap((value, key) =>
        value === 0 ? [key] : [],
      );
    expect([0, 1, 2, 3, 4, 127].map(sees)).toEqual([[0], [0, 1], [0, 1, 2], [0, 1, 3], [4], [127]]);
    expect([...(arrays.positions?.data ?? [])].slice(0, 5)).toEqual([0, 1, 2, 2, 0]);
    expect([...(arrays.predicted?.data ?? [])]).toEqual([1, 2, 3]);
    expect([...(arrays.targets?.data ?? [])]).toEqual([3, 50 + 4, 5, 100 + 6]);
  });
});

describe('targetedSequences', () => {
  const ppo =
    (change: Partial<Datum['lossFnInputs']>, config = {}) =>
    () =>
      targetedSequences(
        [{ modelInput: [1, 2], lossFnInputs: { ...datum([1], [2, 3]).lossFnInputs, ...change } }],
        'ppo',
        config,
        model,
      );

  it('names the wrong field of bad data', () => {
    expect(ppo({ advantages: undefined })).toThrow('data[0].lossFnInputs.advantages is missing');
    expect(ppo({ advantages: [1] })).toThrow(
      'data[0].lossFnInputs.advantages has length 1, modelInput has 2',
    );
    expect(ppo({ logprobs: [0, NaN] })).toThrow('data[0].lossFnInputs.logprobs[1] must be finite, got NaN');
    expect(ppo({ targetTokens: [1, 50] })).toThrow('targetTokens[1] is 50, expected a token id of 0 to 49');
    expect(ppo({}, { klCoef: 0.1 })).toThrow('data[0].lossFnInputs.referenceLogprobs is missing');
    expect(ppo({}, { entropyCoef: -1 })).toThrow('entropyCoef must be a number of at least 0, got -1');
    const long = datum(Array<number>(601).fill(1), [2]);
    expect(() => targetedSequences([long], 'ppo', {}, model)).toThrow(
      'data[0].modelInput has 601 tokens, the model takes at most 600',
    );
  });

  it('ignores log-probabilities where the advantage is 0, unless the ratio is the whole sequence’s', () => {
    const [sequence] = ppo({ advantages: [0, 1], logprobs: [NaN, -1] })();
    expect(sequence?.targets.map((target) => target?.oldLogprob)).toEqual([undefined, -1]);
    const whole = datum([1], [2, 3]);
    whole.lossFnInputs.advantages = [0, 1];
    whole.lossFnInputs.logprobs = [NaN, -1];
    expect(() => targetedSequences([whole], 'gspo', {}, model)).toThrow(
      'data[0].lossFnInputs.logprobs[0] must be finite, got NaN',
    );
  });
});
