/** Data and losses from the contract's meaning to what a server computes the same gradient from. */
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { TinkerProfile } from './profile';
import type { ForwardBackwardInput, TensorData, WireDatum } from './wire';

/** Limits of one forward-backward request of the hosted service; a larger call is sent in several. */
const MAX_DATA = 1024;
const MAX_ESTIMATED_BYTES = 5_000_000;

/**
 * Data as requests, in order. Their summed loss has the gradient that the contract states, whatever the server's own
 * reduction. Throws `invalid_input` for terms the server lacks and for values that are not finite.
 */
export function toForwardBackwardInputs(
  data: readonly Datum[],
  lossFn: LossFn,
  config: LossFnConfig,
  profile: TinkerProfile,
): ForwardBackwardInput[] {
  const loss = lossOf(lossFn, config, profile);
  const wired = data.map((datum, index) =>
    toWireDatum(datum, { path: `data[${index}]`, lossFn, profile, dataCount: data.length }),
  );
  return cut(wired).map((part) => ({ data: part, ...loss }));
}

function lossOf(
  lossFn: LossFn,
  config: LossFnConfig,
  profile: TinkerProfile,
): Pick<ForwardBackwardInput, 'loss_fn' | 'loss_fn_config'> {
  const { clipLowThreshold, clipHighThreshold, entropyCoef = 0, klCoef = 0 } = config;
  if (!profile.computesEntropyAndKl && entropyCoef !== 0)
    throw new AppError(
      'invalid_input',
      `a ${profile.id} server computes no entropy, so it has no entropy bonus: entropyCoef is ${entropyCoef}, expected 0`,
    );
  if (!profile.computesEntropyAndKl && klCoef !== 0)
    throw new AppError(
      'invalid_input',
      `a ${profile.id} server has no KL term: klCoef is ${klCoef}, expected 0`,
    );
  if (lossFn === 'cross_entropy') {
    // A mean over weights would cancel them; CISPO with its ratio held at 1 is -lp * advantage, and means over a mask.
    return profile.lossReduction === 'sequence-mean'
      ? { loss_fn: 'cispo', loss_fn_config: { clip_low_threshold: 1, clip_high_threshold: 1 } }
      : { loss_fn: 'cross_entropy' };
  }
  return {
    loss_fn: 'ppo',
    loss_fn_config: {
      ...(clipLowThreshold !== undefined && { clip_low_threshold: clipLowThreshold }),
      ...(clipHighThreshold !== undefined && { clip_high_threshold: clipHighThreshold }),
      ...(profile.computesEntropyAndKl && { entropy_coef: entropyCoef, kl_coef: klCoef }),
    },
  };
}

interface Wiring {
  path: string;
  lossFn: LossFn;
  profile: TinkerProfile;
  /** Data of the whole call: a server's mean is over all of them. */
  dataCount: number;
}

function toWireDatum({ modelInput, lossFnInputs }: Datum, wiring: Wiring): WireDatum {
  const { path } = wiring;
  for (const [name, values] of Object.entries(lossFnInputs))
    if (values !== undefined && values.length !== modelInput.length)
      throw new AppError(
        'invalid_input',
        `${path}.lossFnInputs.${name} has length ${values.length}, modelInput has ${modelInput.length}`,
      );
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: modelInput }] },
    loss_fn_inputs: {
      target_tokens: {
        data: lossFnInputs.targetTokens,
        dtype: 'int64',
        shape: [lossFnInputs.targetTokens.length],
      },
      ...(wiring.lossFn === 'ppo'
        ? policyTensors(lossFnInputs, wiring)
        : weightTensors(lossFnInputs, wiring)),
    },
  };
}

/** Of `cross_entropy`. */
function weightTensors({ weights }: Datum['lossFnInputs'], wiring: Wiring): Record<string, TensorData> {
  if (!weights) throw new AppError('invalid_input', `${wiring.path}.lossFnInputs.weights is missing`);
  requireFinite(weights, `${wiring.path}.lossFnInputs.weights`);
  if (wiring.profile.lossReduction === 'sum') return { weights: floats(weights) };
  const mask = weights.map((weight) => (weight === 0 ? 0 : 1));
  return {
    weights: floats(mask),
    advantages: floats(undoMean(weights, mask, wiring.dataCount)),
    logprobs: floats(weights.map(() => 0)),
  };
}

/** Of `ppo`. */
function policyTensors(inputs: Datum['lossFnInputs'], wiring: Wiring): Record<string, TensorData> {
  const { path, profile, dataCount } = wiring;
  const { advantages, weights, referenceLogprobs } = inputs;
  if (!advantages) throw new AppError('invalid_input', `${path}.lossFnInputs.advantages is missing`);
  requireFinite(advantages, `${path}.lossFnInputs.advantages`);
  if (weights) requireFinite(weights, `${path}.lossFnInputs.weights`);
  const logprobs = advantages.map((advantage, t) => (advantage === 0 ? 0 : (inputs.logprobs?.[t] ?? NaN)));
  requireFinite(logprobs, `${path}.lossFnInputs.logprobs`);
  if (!profile.weightsAreMask)
    return {
      advantages: floats(advantages),
      logprobs: floats(logprobs),
      ...(profile.computesEntropyAndKl && weights && { weights: floats(weights) }),
      ...(profile.computesEntropyAndKl &&
        referenceLogprobs && {
          reference_logprobs: floats(weighted(referenceLogprobs, weights, `${path}.lossFnInputs`)),
        }),
    };
  const mask = advantages.map((advantage, t) => (advantage !== 0 || (weights?.[t] ?? 0) !== 0 ? 1 : 0));
  return {
    weights: floats(mask),
    advantages: floats(profile.lossReduction === 'sum' ? advantages : undoMean(advantages, mask, dataCount)),
    logprobs: floats(logprobs),
  };
}

/**
 * Factors whose mean over `mask`, then over all data, is the sum that `factors` stand for: each loss here is linear in a
 * positive scaling of them.
 */
function undoMean(factors: readonly number[], mask: readonly number[], dataCount: number): number[] {
  const masked = mask.reduce((sum, value) => sum + value, 0);
  return factors.map((factor) => factor * masked * dataCount);
}

/** Reference log-probabilities where they count, and 0 elsewhere. */
function weighted(values: readonly number[], weights: readonly number[] | undefined, path: string): number[] {
  const counted = values.map((value, t) => ((weights?.[t] ?? 0) === 0 ? 0 : value));
  requireFinite(counted, `${path}.referenceLogprobs`);
  return counted;
}

function floats(values: readonly number[]): TensorData {
  return { data: [...values], dtype: 'float32', shape: [values.length] };
}

function requireFinite(values: readonly number[], path: string): void {
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index >= 0)
    throw new AppError('invalid_input', `${path}[${index}] must be finite, got ${values[index]}`);
}

/** Parts within both limits, each of at least one datum. */
function cut(data: readonly WireDatum[]): WireDatum[][] {
  const parts: WireDatum[][] = [];
  let bytes = Infinity;
  for (const datum of data) {
    const size = estimatedBytes(datum);
    const part = parts.at(-1);
    if (!part || part.length >= MAX_DATA || bytes + size > MAX_ESTIMATED_BYTES) {
      parts.push([datum]);
      bytes = size;
    } else {
      part.push(datum);
      bytes += size;
    }
  }
  return parts;
}

/** As the hosted service counts: 4 bytes a token, and the width of each tensor's element. */
function estimatedBytes({ model_input: input, loss_fn_inputs: tensors }: WireDatum): number {
  const tokens = input.chunks.reduce((sum, chunk) => sum + chunk.tokens.length, 0);
  return Object.values(tensors).reduce(
    (sum, { data, dtype }) => sum + data.length * (dtype === 'int64' ? 8 : 4),
    4 * tokens,
  );
}
