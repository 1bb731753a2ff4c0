import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SampleRequest } from '@/contract/engine';
import { createRandom } from '@/rl/random';
import { headSize, type ModelConfig, parameterSpecs } from '../model/parameters';
import { randomParameters } from '../../../testing/tiny-model';
import { Continuation } from './continuation';
import type { Sampler } from './sampler';
import { openSampler, params, raggedRequests, STOP, TIED } from './testing/requests';

/** Logits [N][V] of a whole sequence, written straight from the model's definition in f64. */
function naiveLogits(config: ModelConfig, parametersP: Float32Array, tokens: readonly number[]): number[][] {
  const specs = new Map(parameterSpecs(config).map((spec) => [spec.name, spec]));
  const vector = (name: string): Float32Array => {
    const spec = specs.get(name);
    if (!spec) throw new Error(name);
    return parametersP.subarray(spec.offset, spec.offset + spec.size);
  };
  const at = (values: ArrayLike<number>, index: number): number => values[index] ?? NaN;
  const times = (x: number[], name: string): number[] => {
    const weights = vector(name);
    const columns = weights.length / x.length;
    return Array.from({ length: columns }, (_, column) =>
      x.reduce((sum, value, row) => sum + value * at(weights, row * columns + column), 0),
    );
  };
  const norm = (x: number[], name: string): number[] => {
    const scale = vector(name);
    const inverse =
      1 / Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + config.rmsNormEps);
    return x.map((value, i) => value * inverse * at(scale, i));
  };
  const plus = (a: number[], b: ArrayLike<number>): number[] => a.map((value, i) => value + at(b, i));
  const hd = headSize(config);
  const rotate = (head: number[], position: number): number[] =>
    head.map((value, i) => {
      const pair = i % (hd / 2);
      const angle = position / config.ropeTheta ** ((2 * pair) / hd);
      const other = i < hd / 2 ? -at(head, i + hd / 2) : at(head, i - hd / 2);
      return value * Math.cos(angle) + other * Math.sin(angle);
    });
  const d = config.hiddenSize;
  const embedding = vector('embedding');
  let rows = tokens.map((token) => [...embedding.subarray(token * d, (token + 1) * d)]);
  for (let layer = 0; layer < config.layers; layer++) {
    const qkv = rows.map((x) =>
      plus(times(norm(x, `${layer}.inputNorm`), `${layer}.qkvWeight`), vector(`${layer}.qkvBias`)),
    );
    const part = (row: number, head: number): number[] => at2(qkv, row).slice(head * hd, (head + 1) * hd);
    const mixed = rows.map((_, row) =>
      Array.from({ length: config.heads }, (_, head) => {
        const shared = config.heads + Math.floor(head / (config.heads / config.keyValueHeads));
        const query = rotate(part(row, head), row);
        const scores = Array.from({ length: row + 1 }, (_, past) => {
          const key = rotate(part(past, shared), past);
          return query.reduce((sum, value, i) => sum + value * at(key, i), 0) / Math.sqrt(hd);
        });
        const weights = softmax(scores);
        return Array.from({ length: hd }, (_, i) =>
          weights.reduce((sum, w, past) => sum + w * at(part(past, shared + config.keyValueHeads), i), 0),
        );
      }).flat(),
    );
    rows = rows.map((x, row) => plus(x, times(at2(mixed, row), `${layer}.outputWeight`)));
    rows = rows.map((x) => {
      const gateUp = times(norm(x, `${layer}.postNorm`), `${layer}.gateUpWeight`);
      const ff = config.intermediateSize;
      const activated = gateUp
        .slice(0, ff)
        .map((gate, i) => (gate / (1 + Math.exp(-gate))) * at(gateUp, ff + i));
      return plus(x, times(activated, `${layer}.downWeight`));
    });
  }
  const head = vector(config.tiedEmbeddings ? 'embedding' : 'head');
  return rows.map((x) => {
    const normed = norm(x, 'finalNorm');
    return Array.from({ length: config.vocabularySize }, (_, id) =>
      normed.reduce((sum, value, i) => sum + value * at(head, id * d + i), 0),
    );
  });
}

function at2(rows: number[][], row: number): number[] {
  return rows[row] ?? [];
}

function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

/** What sampling means: draw from softmax(logits / temperature) of the whole sequence so far, token by token. */
function naiveSample(config: ModelConfig, parametersP: Float32Array, request: SampleRequest) {
  const { temperature, maxTokens, stopTokens } = request.params;
  const random = createRandom(request.seed);
  const tokens: number[] = [];
  const logprobs: number[] = [];
  while (tokens.length < maxTokens && !stopTokens.includes(tokens.at(-1) ?? -1)) {
    const logits = naiveLogits(config, parametersP, [...request.prompt, ...tokens]).at(-1) ?? [];
    const probabilities = softmax(logits.map((logit) => logit / (temperature || 1)));
    let token = logits.indexOf(Math.max(...logits));
    if (temperature > 0) {
      let rest = random.next();
      token = probabilities.findIndex((probability) => (rest -= probability) < 0);
    }
    tokens.push(token);
    logprobs.push(Math.log(probabilities[token] ?? NaN));
  }
  return { tokens, logprobs };
}

describe.each([
  ['tied', TIED, 20],
  [
    'untied',
    { ...TIED, tiedEmbeddings: false, hiddenSize: 32, heads: 2, keyValueHeads: 1, ropeTheta: 500 },
    70,
  ],
] as const)('a sampler with %s embeddings', (_, config, count) => {
  const parametersP = randomParameters(config, 3);
  let sampler: Sampler;
  beforeAll(async () => {
    sampler = await openSampler(config, parametersP);
  });

  it('writes what repeated whole forward passes write, token for token, with the same log-probabilities', async () => {
    const requests = raggedRequests(config, count);
    const { sequences } = await sampler.sampleBatch(requests);
    let stopped = 0;
    requests.forEach((request, i) => {
      const expected = naiveSample(config, parametersP, request);
      expect(sequences[i]?.tokens).toEqual(expected.tokens);
      sequences[i]?.logprobs.forEach((logprob, t) =>
        expect(logprob).toBeCloseTo(expected.logprobs[t] ?? NaN, 4),
      );
      if (sequences[i]?.stopReason === 'stop') stopped++;
      expect(sequences[i]?.stopReason).toBe(expected.tokens.at(-1) === STOP ? 'stop' : 'length');
    });
    expect(stopped).toBeGreaterThan(0);
    expect(stopped).toBeLessThan(count);
  });

  it('scores tokens as the model defines', async () => {
    const tokens = [4, 9, 9, 30, 1, 0, 22, 7];
    const logits = naiveLogits(config, parametersP, tokens);
    const logprobs = await sampler.computeLogprobs(tokens);
    expect(logprobs[0]).toBeNaN();
    for (let t = 1; t < tokens.length; t++)
      expect(logprobs[t]).toBeCloseTo(Math.log(softmax(at2(logits, t - 1))[tokens[t] ?? 0] ?? NaN), 4);
    expect(await sampler.computeLogprobs([3])).toEqual([NaN]);
  });
});

describe('a batch', () => {
  const parametersP = randomParameters(TIED, 3);
  let sampler: Sampler;
  beforeAll(async () => {
    sampler = await openSampler(TIED, parametersP);
  });

  it('gives each request the reply it gets alone', async () => {
    const requests = raggedRequests(TIED, 40);
    const together = (await sampler.sampleBatch(requests)).sequences;
    for (const [i, request] of requests.entries())
      expect((await sampler.sampleBatch([request])).sequences[0]?.tokens).toEqual(together[i]?.tokens);
  });

  it('gives equal seeds equal replies, to the last bit, and other seeds others', async () => {
    const requests = raggedRequests(TIED, 30);
    const first = await sampler.sampleBatch(requests);
    expect((await sampler.sampleBatch(requests)).sequences).toEqual(first.sequences);
    const reseeded = requests.map((request) => ({ ...request, seed: request.seed + 1 }));
    expect((await sampler.sampleBatch(reseeded)).sequences).not.toEqual(first.sequences);
  });

  it('computes equal prompts once and counts every token', async () => {
    const prompts = [
      [1, 2, 3],
      [7, 8],
      [1, 2, 3],
    ];
    const requests = Array.from({ length: 200 }, (_, i) => ({
      prompt: prompts[i % 3] ?? [],
      seed: i,
      params: params({ maxTokens: 2 }),
    }));
    const { counts, sequences } = await sampler.sampleBatch(requests);
    expect(counts.prefilled).toBe(5);
    expect(counts.prompt).toBe(requests.reduce((sum, { prompt }) => sum + prompt.length, 0));
    expect(counts.reused).toBe(counts.prompt - 5);
    expect(counts.sampled).toBe(sequences.reduce((sum, { tokens }) => sum + tokens.length, 0));
  });

  it('computes what different prompts begin with once, and charges the first request', async () => {
    const system = Array.from({ length: 30 }, (_, i) => i);
    const requests = Array.from({ length: 5 }, (_, i) => ({
      prompt: [...system, 30 + i, 1],
      seed: i,
      params: params({ maxTokens: 2 }),
    }));
    sampler.forget();
    const { counts, sequences } = await sampler.sampleBatch(requests);
    expect(sequences.map(({ prefilledTokens }) => prefilledTokens)).toEqual([32, 2, 2, 2, 2]);
    expect(counts).toMatchObject({ prompt: 160, prefilled: 40, reused: 120 });
    for (const [i, request] of requests.entries()) {
      sampler.forget();
      expect((await sampler.sampleBatch([request])).sequences[0]?.tokens).toEqual(sequences[i]?.tokens);
    }
  });

  it('gives the place of a row that ends to the next at once', async () => {
    sampler.forget();
    const passes = vi.spyOn(Continuation.prototype, 'run');
    // Of 32 places one is taken for 20 tokens; the others are free for the second half after a step.
    const lengths = [20, ...new Array<number>(31).fill(2), ...new Array<number>(32).fill(10)];
    const requests = lengths.map((maxTokens, i) => ({
      prompt: [i % 37, Math.floor(i / 37), 1],
      seed: i,
      params: params({ maxTokens, stopTokens: [] }),
    }));
    const { sequences } = await sampler.sampleBatch(requests);
    expect(sequences.map(({ tokens }) => tokens.length)).toEqual(lengths);
    // Two passes of prompts and 19 steps; waiting for the slowest would take nine steps more.
    expect(passes.mock.calls.length).toBeLessThanOrEqual(22);
    passes.mockRestore();
  });

  it('stays within the allowed replies, with probabilities that sum to 1 over them', async () => {
    const allowedReplies = [
      [8, 9, STOP],
      [8, 30, 2, STOP],
      [11, STOP],
      [8, 9, 9, STOP],
    ];
    const requests = Array.from({ length: 200 }, (_, seed) => ({
      prompt: [1, 2, 3],
      seed,
      params: params({ allowedReplies, temperature: 4 }),
    }));
    const { sequences } = await sampler.sampleBatch(requests);
    const probabilities = new Map<string, number>();
    for (const { tokens, logprobs, stopReason } of sequences) {
      expect(allowedReplies).toContainEqual(tokens);
      expect(stopReason).toBe('stop');
      probabilities.set(tokens.join(), Math.exp(logprobs.reduce((a, b) => a + b, 0)));
    }
    expect(probabilities.size).toBe(4);
    expect([...probabilities.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
  });

  it('refuses allowed replies that could not be written to their end', async () => {
    const sampleAmong = (allowedReplies: number[][]) =>
      sampler.sampleBatch([{ prompt: [1], seed: 1, params: params({ allowedReplies, maxTokens: 3 }) }]);
    await expect(sampleAmong([])).rejects.toThrow('allowedReplies is empty');
    await expect(sampleAmong([[1, STOP], []])).rejects.toThrow('allowedReplies[1] has 0 tokens');
    await expect(sampleAmong([[1, 2, 3, STOP]])).rejects.toThrow('allowedReplies[0] has 4 tokens');
    await expect(
      sampleAmong([
        [1, 2],
        [1, 2, 3],
      ]),
    ).rejects.toThrow('the beginning of another');
    await expect(sampleAmong([[STOP, 2]])).rejects.toThrow(`stop token ${STOP} before its end`);
  });

  it('says so when the weights have diverged', async () => {
    const diverged = await openSampler(TIED, new Float32Array(parametersP.length).fill(NaN));
    await expect(diverged.sampleBatch([{ prompt: [1], seed: 1, params: params() }])).rejects.toThrow(
      'diverged',
    );
  });
});
