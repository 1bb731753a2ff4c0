/** From the protocol's data and losses to the contract's. */
import type { Datum, ForwardBackwardOutput, LossFn, LossFnConfig } from '@/contract/engine';
import type { ForwardBackwardAnswer, ForwardBackwardInput, TensorData, WireDatum } from '../tinker/wire';
import { Refusal } from './refusal';

/** Ratio bounds that bind nothing: `importance_sampling` is `ppo` without its clip. */
const NO_CLIP: LossFnConfig = { clipLowThreshold: 0, clipHighThreshold: 1e30 };

interface ServedLoss {
  lossFn: LossFn;
  fixed?: LossFnConfig;
  settings: ReadonlyMap<string, keyof LossFnConfig>;
}

/** Maps, for a request's names are looked up in them: an object would answer to `constructor` as well. */
const LOSSES: ReadonlyMap<string, ServedLoss> = new Map<string, ServedLoss>([
  ['cross_entropy', { lossFn: 'cross_entropy', settings: new Map() }],
  ['importance_sampling', { lossFn: 'ppo', fixed: NO_CLIP, settings: new Map() }],
  [
    'ppo',
    {
      lossFn: 'ppo',
      settings: new Map([
        ['clip_low_threshold', 'clipLowThreshold'],
        ['clip_high_threshold', 'clipHighThreshold'],
        ['entropy_coef', 'entropyCoef'],
        ['kl_coef', 'klCoef'],
      ]),
    },
  ],
]);

const TENSORS: ReadonlyMap<string, Exclude<keyof Datum['lossFnInputs'], 'targetTokens'>> = new Map([
  ['weights', 'weights'],
  ['logprobs', 'logprobs'],
  ['advantages', 'advantages'],
  ['reference_logprobs', 'referenceLogprobs'],
]);

/** Refuses with 422 a loss or a setting that is unknown, and with 400 a tensor that is. */
export function toTrainingCall(input: ForwardBackwardInput): {
  data: Datum[];
  lossFn: LossFn;
  config: LossFnConfig;
} {
  const loss = LOSSES.get(input.loss_fn);
  if (!loss)
    throw new Refusal(422, [
      {
        type: 'literal_error',
        loc: ['forward_backward_input', 'loss_fn'],
        msg: `Input should be ${quotedList([...LOSSES.keys()])}`,
      },
    ]);
  const config: LossFnConfig = { ...loss.fixed };
  for (const [name, value] of Object.entries(input.loss_fn_config ?? {})) {
    const key = loss.settings.get(name);
    if (!key)
      throw new Refusal(422, [
        {
          type: 'extra_forbidden',
          loc: ['forward_backward_input', 'loss_fn_config', name],
          msg: `${input.loss_fn} takes ${[...loss.settings.keys()].join(', ') || 'no settings'}`,
        },
      ]);
    config[key] = value;
  }
  return { data: input.data.map((datum, index) => toDatum(datum, index)), lossFn: loss.lossFn, config };
}

function toDatum({ model_input: input, loss_fn_inputs: tensors }: WireDatum, index: number): Datum {
  const path = `data[${index}].loss_fn_inputs`;
  const { target_tokens: targets, ...others } = tensors;
  if (!targets) throw new Refusal(400, `${path}.target_tokens is missing`);
  const datum: Datum = {
    modelInput: input.chunks.flatMap(({ tokens }) => tokens),
    lossFnInputs: { targetTokens: numbers(targets) },
  };
  for (const [name, tensor] of Object.entries(others)) {
    const key = TENSORS.get(name);
    if (!key)
      throw new Refusal(
        400,
        `${path}.${name} is unknown, expected target_tokens, ${[...TENSORS.keys()].join(', ')}`,
      );
    datum.lossFnInputs[key] = numbers(tensor);
  }
  return datum;
}

export function toForwardBackwardAnswer(output: ForwardBackwardOutput): ForwardBackwardAnswer {
  const { logprobs, entropies, lossSum, trainedTokens } = output;
  return {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: logprobs.map((values, index) => ({
      logprobs: floats(values),
      ...(entropies && { entropies: floats(entropies[index] ?? new Float32Array()) }),
    })),
    metrics: { 'loss:sum': lossSum, 'trained_tokens:sum': trainedTokens },
  };
}

/** Log-probabilities of a datum's targets from those of its whole sequence, whose first is undefined. */
export function targetLogprobs(sequence: readonly number[]): Record<string, TensorData> {
  return { logprobs: floats(sequence.slice(1)) };
}

/** The sequence a datum was cut from. Refuses with 400 targets that are no shifted input: nothing else is scored here. */
export function sequenceOf({ modelInput, lossFnInputs }: Datum, index: number): number[] {
  const { targetTokens } = lossFnInputs;
  const at = targetTokens.findIndex((token, t) => t + 1 < modelInput.length && token !== modelInput[t + 1]);
  if (targetTokens.length !== modelInput.length || at >= 0)
    throw new Refusal(400, `data[${index}]: forward needs target_tokens that are the input shifted by one`);
  return [...modelInput, ...targetTokens.slice(-1)];
}

function floats(values: Float32Array | readonly number[]): TensorData {
  const data = Array.from(values, (value) => (Number.isFinite(value) ? value : null));
  return { data, dtype: 'float32', shape: [data.length] };
}

function numbers({ data }: TensorData): number[] {
  return data.map((value) => value ?? NaN);
}

function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}
