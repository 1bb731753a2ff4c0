/**
 * The engine interface: what holds the weights and computes. It follows the object model of the Tinker
 * protocol, so that a recipe cannot tell an embedded engine from a GPU cluster.
 */

/** One training row. `modelInput` is the sequence without its last token, all tensors have its length N. */
export interface Datum {
  /** Token ids, length N. */
  modelInput: number[];
  lossFnInputs: {
    /** Next-token targets, length N: the sequence shifted left by one. */
    targetTokens: number[];
    /** `cross_entropy`: weight of each target. Policy losses: weight of the entropy and KL terms. Length N. */
    weights?: number[];
    /**
     * Policy losses: log-probability of each target under the sampling policy, length N; read where the advantage is
     * not 0, and by `gspo` at every target that counts.
     */
    logprobs?: number[];
    /** Policy losses: advantage of each target, already divided by the aggregation's normaliser. Length N. */
    advantages?: number[];
    /** Policy losses with `klCoef`: log-probability of each target under the reference policy. Length N. */
    referenceLogprobs?: number[];
  };
}

export const LOSS_FNS = ['cross_entropy', 'importance_sampling', 'ppo', 'cispo', 'gspo'] as const;

/**
 * What is summed over all targets of all data. With lp a target's log-probability, A its advantage, r = exp(lp - old lp)
 * and clip(r) = r held within the thresholds:
 *
 * - `cross_entropy`: -weight lp
 * - `importance_sampling`: -r A
 * - `ppo`: -min(r A, clip(r) A) (Schulman et al. 2017, "Proximal policy optimization algorithms", eq. 7)
 * - `cispo`: -stopgrad(clip(r)) lp A (MiniMax 2025, "MiniMax-M1")
 * - `gspo`: `ppo` whose r is that of the whole sequence, the exponential of the mean of lp - old lp over its targets with
 *   weight or advantage; its gradient reaches each target by that target's own lp, times r (Zheng et al. 2025, "Group
 *   sequence policy optimization", its token-level form)
 *
 * A target counts where it has a weight or an advantage.
 */
export type LossFn = (typeof LOSS_FNS)[number];
export type PolicyLossFn = Exclude<LossFn, 'cross_entropy'>;

/** Settings of policy losses; `LOSS_SETTINGS` says which loss takes which. */
export interface LossFnConfig {
  /** Lower bound of the probability ratio, default 0.8. */
  clipLowThreshold?: number;
  /** Upper bound of the probability ratio, default 1.2. */
  clipHighThreshold?: number;
  /**
   * Upper bound of the ratio where the advantage is negative, above 1; absent = none (Ye et al. 2020, "Mastering complex
   * control in MOBA games with deep reinforcement learning"; verl's `clip_ratio_c`).
   */
  dualClip?: number;
  /** Adds `-entropyCoef * sum(weights * H)` in nats, default 0. */
  entropyCoef?: number;
  /** Adds `klCoef * sum(weights * k3)`, k3 = exp(ref - lp) - (ref - lp) - 1, default 0. */
  klCoef?: number;
}

const POLICY_TERMS = ['entropyCoef', 'klCoef'] as const;
const CLIP_BOUNDS = ['clipLowThreshold', 'clipHighThreshold'] as const;

/** The settings each loss takes; any other is refused by name. */
export const LOSS_SETTINGS: Readonly<Record<LossFn, readonly (keyof LossFnConfig)[]>> = {
  cross_entropy: [],
  importance_sampling: POLICY_TERMS,
  ppo: [...CLIP_BOUNDS, 'dualClip', ...POLICY_TERMS],
  cispo: [...CLIP_BOUNDS, ...POLICY_TERMS],
  gspo: [...CLIP_BOUNDS, ...POLICY_TERMS],
};

export interface ForwardBackwardOutput {
  /**
   * Log-probability of each target, one array per datum, each of its datum's length N; NaN where a target has neither
   * weight nor advantage, for an engine need not compute it.
   */
  logprobs: Float32Array[];
  /**
   * Entropy of the next-token distribution in nats, shaped like `logprobs`; of policy losses, where the engine computes
   * it.
   */
  entropies?: Float32Array[];
  /** Sum over all data of the per-token losses. */
  lossSum: number;
  /** Tokens that entered the graph after packing and de-duplication, without padding. */
  trainedTokens: number;
}

export interface AdamParams {
  learningRate: number;
  beta1: number;
  beta2: number;
  eps: number;
  weightDecay: number;
  /** Global-norm clip; 0 = off. */
  gradClipNorm: number;
}

export interface OptimStepOutput {
  /** Global L2 norm of the accumulated gradient before clipping. */
  gradNorm: number;
  /** Updates since the untrained model; saved and restored with the state. */
  updates: number;
}

export interface SamplingParams {
  maxTokens: number;
  /** 0 = greedy (arg max). */
  temperature: number;
  /** Only the k likeliest tokens may be drawn; 0 or unset = all. */
  topK?: number;
  /** Of those, the fewest likeliest whose probabilities reach p; 1 or unset = all. */
  topP?: number;
  /** Token ids that end a reply; the ending id is part of the reply. */
  stopTokens: number[];
  /** Asks for the entropy of each token’s distribution; an engine that cannot tell answers without. */
  entropies?: boolean;
  /** Where set, only these first-tokens-to-last sequences may be written (decoding masked to a list of replies). */
  allowedReplies?: number[][];
}

export interface SampleRequest {
  prompt: number[];
  /** Seed of this sample's own generator: equal requests give equal replies whatever else is in the batch. */
  seed: number;
  params: SamplingParams;
}

export interface SampledSequence {
  tokens: number[];
  /**
   * Log-probability of each token at the sampling temperature (at temperature 1 where greedy), over the whole vocabulary:
   * top-k and top-p bound the draw alone, so that it stays what the training graph computes.
   */
  logprobs: number[];
  /** Where asked for: entropy in nats of what each token was drawn from, over the whole vocabulary; as many as tokens. */
  entropies?: number[];
  stopReason: 'stop' | 'length';
  /**
   * Prompt tokens computed for this sample; the rest of its prompt was reused. What several samples of a batch share is
   * computed for the first of them, in the order of the requests, and reused by the others. Absent where the engine does
   * not say.
   */
  prefilledTokens?: number;
}

/** Tokens counted since the client was made. */
export interface TokenCounts {
  /** Prompt tokens asked for, and tokens whose log-probabilities were; the latter are computed whole. */
  prompt: number;
  /** Prompt tokens computed; all of them where the engine does not say what it reused. */
  prefilled: number;
  /** Prompt tokens not computed because an equal prompt or prefix was; NaN where the engine does not say. */
  reused: number;
  sampled: number;
}

/** Seconds of engine time since the client was made, summed over its children. */
export interface SamplingTimes {
  prefillS: number;
  decodeS: number;
}

/** An immutable policy version. */
export interface SamplingClient {
  /** How many batches can be computed side by side; a lane is one of them. */
  readonly lanes: number;
  /** n independent samples of one prompt; sample i uses a seed derived from `seed` and i. */
  sample(prompt: number[], n: number, params: SamplingParams, seed: number): Promise<SampledSequence[]>;
  /** One batch on one lane. What is in the batch, not when it is sent, decides how it is computed. */
  sampleBatch(requests: SampleRequest[], lane: number): Promise<SampledSequence[]>;
  /** Log-probability of each token given those before it; the first is NaN. */
  computeLogprobs(tokens: number[]): Promise<number[]>;
  counts(): TokenCounts;
  times(): SamplingTimes;
}

export interface TrainingClient {
  /** Computes the loss of `data` and adds its gradient to what is accumulated. */
  forwardBackward(data: Datum[], lossFn: LossFn, config?: LossFnConfig): Promise<ForwardBackwardOutput>;
  /**
   * The same output without a gradient. A loss of one's own C takes two passes: the log-probabilities lp of this one,
   * then `forwardBackward` of `cross_entropy` with the weights -dC/dlp.
   */
  forward(data: Datum[], lossFn: LossFn, config?: LossFnConfig): Promise<ForwardBackwardOutput>;
  /** Applies AdamW to the accumulated gradient and clears it. */
  optimStep(adam: AdamParams): Promise<OptimStepOutput>;
  /** Writes weights (f32), optimizer moments and update count as a Hugging Face folder. */
  saveState(dir: string): Promise<void>;
  /** Restores what `saveState` wrote, to the last bit; a folder without optimizer state starts with zero moments. */
  loadState(dir: string): Promise<void>;
  /** The current weights as an immutable policy. */
  saveWeightsForSampler(): Promise<SamplingClient>;
}

/** Text to ids and back; ids outside the vocabulary never occur. */
export interface Tokenizer {
  readonly vocabularySize: number;
  encode(text: string): number[];
  decode(ids: readonly number[]): string;
  /** Id of a special token such as `<|end|>`; throws where the vocabulary has none of that name. */
  specialId(token: string): number;
  /** Messages as the model's chat template writes them, a reply's opening at the end. */
  renderChat(messages: readonly ChatMessage[], tools?: readonly ToolSpecification[]): string;
  /** The ids of what `renderChat` writes. */
  encodeChat(messages: readonly ChatMessage[], tools?: readonly ToolSpecification[]): number[];
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Of a tool message: the tool that answers. */
  name?: string;
}

/** A tool as chat templates are told of it: the field's JSON schema of a function. */
export interface ToolSpecification {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

export interface Engine {
  /** `none`: the run has no weights of its own. */
  readonly kind: 'onnx' | 'tinker' | 'none';
  readonly tokenizer: Tokenizer;
  /** Token ids that end a reply, from the model's generation config. */
  readonly stopTokens: number[];
  /** Most tokens of a prompt and its reply together; Infinity where the engine does not say. */
  readonly contextTokens: number;
  /** Trainable parameters; NaN where the engine does not say. */
  readonly parameters: number;
  readonly training: TrainingClient;
  /** The model the run began from, whatever has been trained or restored since: the reference of KL terms. */
  readonly base: SamplingClient;
  /** Ends the engine's processes; safe to call twice. */
  close(): Promise<void>;
}
