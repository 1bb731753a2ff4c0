/** The Qwen2 and Qwen3 forward pass for training, on rows of packed tokens. Shapes: B rows, T tokens a row, N = B T, d hidden size. */
import { AppError } from '@/contract/errors';
import { add } from '../graph/arithmetic';
import { attention, rotaryEmbedding } from '../graph/attention';
import { cast, gatherRows, reshape, split, transpose } from '../graph/layout';
import { embedding, rmsNorm, swiGlu } from '../graph/layers';
import { linear } from '../graph/matrix';
import type { Rotary } from '../graph/attention';
import type { Tape, Value } from '../graph/tape';
import { headSize, parameterInput, parameterSpecs, queryWidth } from './parameters';
import type { ModelConfig } from './parameters';

/** Names of the dimensions known only when the graph runs. */
export const ROWS = 'rows';
export const TOKENS = 'tokens';
export const POSITIONS = 'positions';

export interface ForwardInputs {
  /** Token ids, i32 [N]. */
  tokens: Value;
  /** Position of each token in its own sequence, i32 [B, T]. */
  positions: Value;
  /** Added to the attention scores, [B, 1, T, T]: 0 where a row's query sees a key, very negative elsewhere. */
  mask: Value;
  /** Tokens whose next-token distribution is wanted, as distinct indices into N, i32 [M]. */
  predicted: Value;
}

/** Parameters by their name in `parameterSpecs`. */
export type Parameters = ReadonlyMap<string, Value>;

/** Declares every parameter as a differentiable input, in the order of `parameterSpecs`. */
export function declareParameters(tape: Tape, config: ModelConfig): Parameters {
  return new Map(
    parameterSpecs(config).map(({ name, shape }) => [
      name,
      tape.input(parameterInput(name), tape.precision, shape, true),
    ]),
  );
}

function parameter(parameters: Parameters, name: string): Value {
  const value = parameters.get(name);
  if (!value) throw new AppError('internal', `the model has no parameter ${name}`);
  return value;
}

/** A layer's parameters by their name within the layer. */
interface LayerParameters {
  /** One that every family has. */
  own: (name: string) => Value;
  /** One that only some families have. */
  optional: (name: string) => Value | undefined;
}

function layerParameters(parameters: Parameters, layer: number): LayerParameters {
  return {
    own: (name) => parameter(parameters, `${layer}.${name}`),
    optional: (name) => parameters.get(`${layer}.${name}`),
  };
}

/** Next-token logits [M, V] of the `predicted` tokens; what only the others' logits would need is not computed. */
export function forward(
  tape: Tape,
  config: ModelConfig,
  parameters: Parameters,
  inputs: ForwardInputs,
): Value {
  const rotary = rotaryEmbedding(tape, cast(tape, inputs.positions, 'i64'), {
    size: headSize(config),
    theta: config.ropeTheta,
    maxPositions: config.maxPositions,
  });
  let x = embedding(tape, parameter(parameters, 'embedding'), inputs.tokens);
  for (let layer = 0; layer < config.layers; layer++) {
    const weights = layerParameters(parameters, layer);
    let mixed = mixTokens(tape, config, weights, { x, mask: inputs.mask, rotary });
    if (layer === config.layers - 1) {
      // No later layer attends to the other tokens, so the rest of the network needs the predicted ones alone.
      mixed = gatherRows(tape, mixed, inputs.predicted);
      x = gatherRows(tape, x, inputs.predicted);
    }
    const { own, optional } = weights;
    x = add(tape, x, linear(tape, mixed, own('outputWeight'), { bias: optional('outputBias') }));
    x = add(tape, x, feedForward(tape, config, weights, x));
  }
  const normed = rmsNorm(tape, x, parameter(parameters, 'finalNorm'), config.rmsNormEps);
  const head = parameter(parameters, config.tiedEmbeddings ? 'embedding' : 'head');
  return linear(tape, normed, head, { transposed: true });
}

/** Attention of one layer up to its output projection, [N, H hd]. */
function mixTokens(
  tape: Tape,
  config: ModelConfig,
  { own, optional }: LayerParameters,
  inputs: { x: Value; mask: Value; rotary: Rotary },
): Value {
  const { heads, keyValueHeads } = config;
  const { x, mask, rotary } = inputs;
  const [rows = ROWS, , length = 1] = mask.shape;
  const size = headSize(config);
  const normed = rmsNorm(tape, x, own('inputNorm'), config.rmsNormEps);
  const fused = linear(tape, normed, own('qkvWeight'), { bias: optional('qkvBias') });
  const allHeads = heads + 2 * keyValueHeads;
  const byHead = transpose(tape, reshape(tape, fused, [rows, length, allHeads, size]), [0, 2, 1, 3]);
  const [query, key, value] = split(tape, byHead, 1, [heads, keyValueHeads, keyValueHeads]);
  if (!query || !key || !value) throw new AppError('internal', 'query, key and value come from one split');
  const turned = (head: Value, gain: Value | undefined): Value =>
    rotary.apply(gain ? rmsNorm(tape, head, gain, config.rmsNormEps) : head);
  const mixed = attention(tape, {
    query: turned(query, optional('queryNorm')),
    key: turned(key, optional('keyNorm')),
    value,
    mask,
  });
  return reshape(tape, transpose(tape, mixed, [0, 2, 1, 3]), [TOKENS, queryWidth(config)]);
}

function feedForward(tape: Tape, config: ModelConfig, { own }: LayerParameters, x: Value): Value {
  const { intermediateSize } = config;
  const normed = rmsNorm(tape, x, own('postNorm'), config.rmsNormEps);
  // Splitting the weight's columns moves far fewer elements than splitting the product's.
  const [gateWeight, upWeight] = split(tape, own('gateUpWeight'), 1, [intermediateSize, intermediateSize]);
  if (!gateWeight || !upWeight) throw new AppError('internal', 'gate and up come from one split');
  const hidden = swiGlu(tape, linear(tape, normed, gateWeight), linear(tape, normed, upWeight));
  return linear(tape, hidden, own('downWeight'));
}
