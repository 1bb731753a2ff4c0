/** The work that is measured, through the clients that a run uses. */
import type { AdamParams, Datum, Engine, SampleRequest, SamplingClient } from '@/contract/engine';
import { createRandom, type Random } from '@/rl/random';

const ADAM: AdamParams = {
  learningRate: 1e-4,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 1,
};

function randomTokens(random: Random, length: number, vocabularySize: number): number[] {
  return Array.from({ length }, () => random.integer(vocabularySize));
}

/** `rows` data of `length` tokens, all of them targets. Each begins with a token of its own, so that nothing is shared. */
export function trainingData(rows: number, length: number, vocabularySize: number): Datum[] {
  const random = createRandom(1);
  return Array.from({ length: rows }, (_, row) => {
    const sequence = [row, ...randomTokens(random, length, vocabularySize)];
    const perTarget = (value: () => number) => Array.from({ length }, value);
    const untrainedLogprob = -Math.log(vocabularySize);
    return {
      modelInput: sequence.slice(0, -1),
      lossFnInputs: {
        targetTokens: sequence.slice(1),
        logprobs: perTarget(() => untrainedLogprob + 0.1 * (random.next() - 0.5)),
        advantages: perTarget(() => (random.next() - 0.5) / (rows * length)),
      },
    };
  });
}

/** One optimizer update of the clipped policy loss. */
export async function update({ training }: Engine, data: Datum[]): Promise<void> {
  await training.forwardBackward(data, 'ppo', { clipLowThreshold: 0.8, clipHighThreshold: 1.28 });
  await training.optimStep(ADAM);
}

export interface Decoding {
  rows: number;
  promptLength: number;
  tokens: number;
  vocabularySize: number;
}

/** Writes `tokens` tokens in every row, rows dealt to the client's lanes. */
export async function decode(client: SamplingClient, work: Decoding): Promise<void> {
  const random = createRandom(2);
  const requests = Array.from({ length: work.rows }, (_, row): SampleRequest => {
    const prompt = [row, ...randomTokens(random, work.promptLength - 1, work.vocabularySize)];
    return { prompt, seed: row, params: { maxTokens: work.tokens, temperature: 1, stopTokens: [] } };
  });
  const lanes = Array.from({ length: client.lanes }, (_, lane) =>
    requests.filter((_, row) => row % client.lanes === lane),
  );
  await Promise.all(lanes.map((batch, lane) => client.sampleBatch(batch, lane)));
}

/** Log-probabilities of `rows` sequences of `length` tokens. */
export async function score(
  client: SamplingClient,
  rows: number,
  length: number,
  vocabularySize: number,
): Promise<void> {
  const random = createRandom(3);
  const sequences = Array.from({ length: rows }, () => randomTokens(random, length, vocabularySize));
  await Promise.all(sequences.map((sequence) => client.computeLogprobs(sequence)));
}
