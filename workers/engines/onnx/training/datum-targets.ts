/** From data as recipes send them to the targets the losses need, checked. */
import { AppError } from '@/contract/errors';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { checkLossConfig } from '../../loss-config';
import type { ModelConfig } from '../model/parameters';
import { checkTokenIds } from '../model/token-ids';

/** One target that counts: it has a weight or an advantage. */
export interface DatumTarget {
  token: number;
  /** Factor of -lp (`cross_entropy`), or of a policy loss's entropy and KL terms before their coefficients. */
  weight: number;
  advantage: number;
  /** Where the loss needs it: the advantage is not 0, or the ratio is a sequence's. */
  oldLogprob?: number;
  /** Where the KL term counts. */
  referenceLogprob?: number;
}

/** A datum up to its last target that counts: nothing after it reaches the loss. */
export interface TargetedSequence {
  tokens: readonly number[];
  /** Aligned with `tokens`. */
  targets: readonly (DatumTarget | undefined)[];
}

/** The sequence's tokens up to its first target: what it may share with others. */
export function promptOf({ tokens, targets }: TargetedSequence): readonly number[] {
  return tokens.slice(0, targets.findIndex((target) => target !== undefined) + 1);
}

/** Checks data against the loss and the model. Throws `invalid_input` naming the first wrong field. */
export function targetedSequences(
  data: readonly Datum[],
  lossFn: LossFn,
  lossConfig: LossFnConfig,
  model: ModelConfig,
): TargetedSequence[] {
  checkLossConfig(lossFn, lossConfig);
  return data.map((datum, index) => {
    const fields = checkedFields(datum, `data[${index}]`, model);
    const targets = fields.targetTokens.map((_, position) =>
      lossFn === 'cross_entropy'
        ? crossEntropyTarget(fields, position)
        : policyTarget(fields, position, lossFn, lossConfig),
    );
    const length = targets.findLastIndex((target) => target !== undefined) + 1;
    return { tokens: datum.modelInput.slice(0, length), targets: targets.slice(0, length) };
  });
}

interface Fields {
  path: string;
  targetTokens: readonly number[];
  weights?: readonly number[];
  logprobs?: readonly number[];
  advantages?: readonly number[];
  referenceLogprobs?: readonly number[];
}

function checkedFields(datum: Datum, path: string, model: ModelConfig): Fields {
  const { modelInput, lossFnInputs } = datum;
  if (modelInput.length > model.maxPositions)
    throw new AppError(
      'invalid_input',
      `${path}.modelInput has ${modelInput.length} tokens, the model takes at most ${model.maxPositions}`,
    );
  checkTokenIds(modelInput, `${path}.modelInput`, model.vocabularySize);
  checkTokenIds(lossFnInputs.targetTokens, `${path}.lossFnInputs.targetTokens`, model.vocabularySize);
  for (const [name, values] of Object.entries(lossFnInputs)) {
    if (values !== undefined && values.length !== modelInput.length)
      throw new AppError(
        'invalid_input',
        `${path}.lossFnInputs.${name} has length ${values.length}, modelInput has ${modelInput.length}`,
      );
  }
  return { path: `${path}.lossFnInputs`, ...lossFnInputs };
}

type TensorName = 'weights' | 'logprobs' | 'advantages' | 'referenceLogprobs';

/** One element of a per-token tensor; `NaN`, infinities and an absent tensor are refused where the loss reads them. */
function element(fields: Fields, name: TensorName, position: number): number {
  const value = fields[name]?.[position];
  if (value === undefined) throw new AppError('invalid_input', `${fields.path}.${name} is missing`);
  if (!Number.isFinite(value))
    throw new AppError('invalid_input', `${fields.path}.${name}[${position}] must be finite, got ${value}`);
  return value;
}

function crossEntropyTarget(fields: Fields, position: number): DatumTarget | undefined {
  const weight = element(fields, 'weights', position);
  if (weight === 0) return undefined;
  return { token: fields.targetTokens[position] ?? 0, weight, advantage: 0 };
}

function policyTarget(
  fields: Fields,
  position: number,
  lossFn: LossFn,
  config: LossFnConfig,
): DatumTarget | undefined {
  const advantage = element(fields, 'advantages', position);
  const weight = fields.weights ? element(fields, 'weights', position) : 0;
  if (advantage === 0 && weight === 0) return undefined;
  return {
    token: fields.targetTokens[position] ?? 0,
    weight,
    advantage,
    oldLogprob: advantage === 0 && lossFn !== 'gspo' ? undefined : element(fields, 'logprobs', position),
    referenceLogprob:
      weight === 0 || !config.klCoef ? undefined : element(fields, 'referenceLogprobs', position),
  };
}
