import type { AdamParams, Datum, TrainingClient } from '@/contract/engine';
import type { Random } from '@/rl/random';

/** A demonstrated turn as token ids. */
export interface DemonstratedTurn {
  prompt: number[];
  reply: number[];
}

export interface ImitationSettings {
  epochs: number;
  /** Turns of one optimizer update. */
  batchSize: number;
  /** Peak rate: linear warm-up, then a cosine to a twentieth of it. */
  learningRate: number;
  warmupUpdates: number;
  /** Weight of each prompt token against 1 for a reply token: teaches copying early. */
  promptWeight: number;
  weightDecay: number;
}

export interface ImitationUpdate {
  update: number;
  updates: number;
  /** Negative log-likelihood in nats, mean over the batch's reply tokens. */
  replyLoss: number;
}

/** Fits the policy to demonstrated turns by cross-entropy, yielding after each update. */
export async function* imitate(
  training: TrainingClient,
  turns: readonly DemonstratedTurn[],
  settings: ImitationSettings,
  random: Random,
): AsyncGenerator<ImitationUpdate> {
  const perEpoch = Math.ceil(turns.length / settings.batchSize);
  const updates = perEpoch * settings.epochs;
  let update = 0;
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const order = random.shuffle(turns);
    for (let start = 0; start < order.length; start += settings.batchSize) {
      const batch = order.slice(start, start + settings.batchSize);
      const data = imitationData(batch, settings.promptWeight);
      const { logprobs } = await training.forwardBackward(data, 'cross_entropy');
      await training.optimStep(adamParams(settings, update, updates));
      update++;
      yield { update, updates, replyLoss: replyLoss(batch, logprobs) };
    }
  }
}

/** Turns as data: each reply token weighs 1 / (reply tokens of the batch), the prompt's `promptWeight` of that. */
export function imitationData(turns: readonly DemonstratedTurn[], promptWeight: number): Datum[] {
  const share = 1 / turns.reduce((sum, { reply }) => sum + reply.length, 0);
  return turns.map(({ prompt, reply }) => {
    const sequence = [...prompt, ...reply];
    return {
      modelInput: sequence.slice(0, -1),
      lossFnInputs: {
        targetTokens: sequence.slice(1),
        weights: sequence.slice(1).map((_, t) => (t >= prompt.length - 1 ? share : share * promptWeight)),
      },
    };
  });
}

function replyLoss(turns: readonly DemonstratedTurn[], logprobs: readonly Float32Array[]): number {
  let sum = 0;
  let count = 0;
  turns.forEach(({ prompt, reply }, i) => {
    for (const logprob of logprobs[i]?.subarray(prompt.length - 1) ?? []) sum -= logprob;
    count += reply.length;
  });
  return sum / count;
}

function adamParams(settings: ImitationSettings, update: number, updates: number): AdamParams {
  const warmup = Math.min(1, (update + 1) / settings.warmupUpdates);
  const cosine = 0.5 * (1 + Math.cos((Math.PI * update) / updates));
  return {
    learningRate: settings.learningRate * warmup * (0.05 + 0.95 * cosine),
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weightDecay: settings.weightDecay,
    gradClipNorm: 1,
  };
}
