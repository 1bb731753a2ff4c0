/** From the protocol's data and losses to the contract's. */
import {
  type Datum,
  type ForwardBackwardOutput,
  LOSS_FNS,
  LOSS_SETTINGS,
  type LossFn,
  type LossFnConfig,
  type TrainingClient,
} from '@/contract/engine';
import { lossConfigIssue } from '../loss-config';
import { WIRE_SETTINGS } from '../tinker/datum-wire';
import { lossSumOf } from '../tinker/token-loss';
import type { ForwardBackwardAnswer, ForwardBackwardInput, TensorData, WireDatum } from '../tinker/wire';
import { Refusal } from './refusal';

/** A map, for a request's names are looked up in it: an object would answer to `constructor` as well. */
const TENSORS: ReadonlyMap<string, Exclude<keyof Datum['lossFnInputs'], 'targetTokens'>> = new Map([
  ['weights', 'weights'],
  ['logprobs', 'logprobs'],
  ['advantages', 'advantages'],
  ['reference_logprobs', 'referenceLogprobs'],
]);

/** What a request asks to be computed. */
export interface TrainingCall {
  data: Datum[];
  lossFn: LossFn;
  config: LossFnConfig;
}

/** Refuses with 422 a loss or a setting that is unknown or out of range, and with 400 a tensor that is unknown. */
export function toTrainingCall(input: ForwardBackwardInput): TrainingCall {
  const lossFn = LOSS_FNS.find((name) => name === input.loss_fn);
  if (!lossFn)
    throw new Refusal(422, [
      {
        type: 'literal_error',
        loc: ['forward_backward_input', 'loss_fn'],
        msg: `Input should be ${quotedList(LOSS_FNS)}`,
      },
    ]);
  const config = toLossConfig(lossFn, input.loss_fn_config ?? {});
  return { data: input.data.map((datum, index) => toDatum(datum, index)), lossFn, config };
}

function toLossConfig(lossFn: LossFn, given: Readonly<Record<string, number>>): LossFnConfig {
  const path = ['forward_backward_input', 'loss_fn_config'];
  const taken = LOSS_SETTINGS[lossFn];
  const config: LossFnConfig = {};
  for (const [name, value] of Object.entries(given)) {
    const key = taken.find((setting) => WIRE_SETTINGS[setting] === name);
    if (!key) {
      const names = taken.map((setting) => WIRE_SETTINGS[setting]).join(', ');
      const msg = `${lossFn} takes ${names || 'no settings'}`;
      throw new Refusal(422, [{ type: 'extra_forbidden', loc: [...path, name], msg }]);
    }
    config[key] = value;
  }
  const issue = lossConfigIssue(lossFn, config);
  const wrong = issue && taken.find((setting) => setting === issue.path);
  if (issue && wrong)
    throw new Refusal(422, [
      { type: 'value_error', loc: [...path, WIRE_SETTINGS[wrong]], msg: `Value ${issue.message}` },
    ]);
  return config;
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

/**
 * A pass without gradient. Of cross-entropy every target's log-probability is computed, weighted or not: clients make losses
 * of their own of them, and not all read gaps. Refuses with 400 weights that are no number for each target.
 */
export async function forwardOf(
  training: Pick<TrainingClient, 'forward'>,
  { data, lossFn, config }: TrainingCall,
): Promise<ForwardBackwardOutput> {
  if (lossFn !== 'cross_entropy') return training.forward(data, lossFn, config);
  const weighted = data.map(({ modelInput, lossFnInputs }, index): Datum => {
    const { targetTokens } = lossFnInputs;
    const weights = lossFnInputs.weights ?? targetTokens.map(() => 1);
    if (weights.length !== targetTokens.length || !weights.every(Number.isFinite))
      throw new Refusal(400, `data[${index}].loss_fn_inputs.weights needs a number for each target`);
    return { modelInput, lossFnInputs: { targetTokens, weights } };
  });
  const scored = weighted.map(({ modelInput, lossFnInputs: { targetTokens } }) => ({
    modelInput,
    lossFnInputs: { targetTokens, weights: targetTokens.map(() => 1) },
  }));
  const output = await training.forward(scored, lossFn);
  return { ...output, lossSum: lossSumOf(weighted, output.logprobs, lossFn, config) };
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
