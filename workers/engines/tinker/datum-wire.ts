/** Data and losses from the contract's meaning to what a server computes the same gradient from. */
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { checkData, isCounted, needsLogprob } from './datum-check';
import { servesLoss, type TinkerProfile } from './profile';
import type { ForwardBackwardInput, TensorData, WireDatum } from './wire';

/** Limits of one forward-backward request of the hosted service; a larger call is sent in several. */
const MAX_DATA = 1024;
const MAX_ESTIMATED_BYTES = 5_000_000;

/** The contract's settings of losses by their names on the wire. Our server alone knows `dual_clip` and what follows it. */
export const WIRE_SETTINGS: Readonly<Record<keyof LossFnConfig, string>> = {
  clipLowThreshold: 'clip_low_threshold',
  clipHighThreshold: 'clip_high_threshold',
  dualClip: 'dual_clip',
  entropyCoef: 'entropy_coef',
  klCoef: 'kl_coef',
};

/**
 * Data as requests, in order. Their summed loss has the gradient that the contract states, whatever the server's own
 * reduction. Throws `invalid_input` for a loss or a setting that the server lacks, and for data that the loss cannot be
 * computed from.
 */
export function toForwardBackwardInputs(
  data: readonly Datum[],
  lossFn: LossFn,
  config: LossFnConfig,
  profile: TinkerProfile,
): ForwardBackwardInput[] {
  const loss = lossOf(lossFn, config, profile);
  checkData(data, lossFn, config);
  const wired = data.map((datum) => toWireDatum(datum, { lossFn, config, profile, dataCount: data.length }));
  return cut(wired).map((part) => ({ data: part, ...loss }));
}

function lossOf(
  lossFn: LossFn,
  config: LossFnConfig,
  profile: TinkerProfile,
): Pick<ForwardBackwardInput, 'loss_fn' | 'loss_fn_config'> {
  const settings = Object.entries(config).filter(([, value]) => value !== undefined);
  if (!servesLoss(profile, lossFn, config))
    throw new AppError(
      'invalid_input',
      `a ${profile.id} server does not compute ${lossFn} with ${JSON.stringify(Object.fromEntries(settings))}`,
    );
  // A mean over weights would cancel them; CISPO with its ratio held at 1 is -lp * advantage, and means over a mask.
  if (lossFn === 'cross_entropy')
    return profile.lossReduction === 'sequence-mean'
      ? { loss_fn: 'cispo', loss_fn_config: { clip_low_threshold: 1, clip_high_threshold: 1 } }
      : { loss_fn: 'cross_entropy' };
  const known = profile.lossSettings.flatMap((name) => {
    const value = config[name];
    return value === undefined ? [] : [[WIRE_SETTINGS[name], value] as const];
  });
  return { loss_fn: lossFn, ...(known.length > 0 && { loss_fn_config: Object.fromEntries(known) }) };
}

interface Wiring {
  lossFn: LossFn;
  config: LossFnConfig;
  profile: TinkerProfile;
  /** Data of the whole call: a server's mean is over all of them. */
  dataCount: number;
}

function toWireDatum(datum: Datum, wiring: Wiring): WireDatum {
  const { targetTokens } = datum.lossFnInputs;
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: datum.modelInput }] },
    loss_fn_inputs: {
      target_tokens: { data: targetTokens, dtype: 'int64', shape: [targetTokens.length] },
      ...(wiring.lossFn === 'cross_entropy' ? weightTensors(datum, wiring) : policyTensors(datum, wiring)),
    },
  };
}

/** Of `cross_entropy`. */
function weightTensors({ lossFnInputs }: Datum, wiring: Wiring): Record<string, TensorData> {
  const { weights = [] } = lossFnInputs;
  if (wiring.profile.lossReduction === 'sum') return { weights: floats(weights) };
  const mask = weights.map((weight) => (weight === 0 ? 0 : 1));
  return {
    weights: floats(mask),
    advantages: floats(undoMean(weights, mask, wiring.dataCount)),
    logprobs: floats(weights.map(() => 0)),
  };
}

/** Of policy losses. What the loss does not read is 0, for it may be NaN. */
function policyTensors(datum: Datum, wiring: Wiring): Record<string, TensorData> {
  const { lossFn, config, profile, dataCount } = wiring;
  const { advantages = [], weights, logprobs, referenceLogprobs } = datum.lossFnInputs;
  const read = advantages.map((_, t) => (needsLogprob(datum, t, lossFn) ? (logprobs?.[t] ?? NaN) : 0));
  if (profile.weightsAreMask) {
    const mask = advantages.map((_, t) => (isCounted(datum, t) ? 1 : 0));
    return {
      weights: floats(mask),
      advantages: floats(
        profile.lossReduction === 'sum' ? advantages : undoMean(advantages, mask, dataCount),
      ),
      logprobs: floats(read),
    };
  }
  const extended = profile.computesEntropyAndKl && weights !== undefined;
  return {
    advantages: floats(advantages),
    logprobs: floats(read),
    ...(extended && { weights: floats(weights) }),
    ...(extended &&
      config.klCoef &&
      referenceLogprobs && {
        reference_logprobs: floats(referenceLogprobs.map((value, t) => (weights[t] === 0 ? 0 : value))),
      }),
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

function floats(values: readonly number[]): TensorData {
  return { data: [...values], dtype: 'float32', shape: [values.length] };
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
