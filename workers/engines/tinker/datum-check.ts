/** What a loss can be computed from. */
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { AppError } from '@/contract/errors';

type IsRead = (target: number) => boolean;

/** Throws `invalid_input` naming the first tensor that is missing, of another length, or not finite where the loss reads it. */
export function checkData(data: readonly Datum[], lossFn: LossFn, config: LossFnConfig): void {
  data.forEach((datum, index) => {
    const { modelInput, lossFnInputs } = datum;
    const path = `data[${index}].lossFnInputs`;
    for (const [name, values] of Object.entries(lossFnInputs))
      if (values !== undefined && values.length !== modelInput.length)
        throw new AppError(
          'invalid_input',
          `${path}.${name} has length ${values.length}, modelInput has ${modelInput.length}`,
        );
    const read = (name: Exclude<keyof Datum['lossFnInputs'], 'targetTokens'>, isRead: IsRead) =>
      requireFinite(
        lossFnInputs[name],
        `${path}.${name}`,
        modelInput.map((_, t) => isRead(t)),
      );
    if (lossFn !== 'cross_entropy') {
      read('advantages', () => true);
      read('logprobs', (t) => needsLogprob(datum, t, lossFn));
    }
    read('weights', () => lossFn === 'cross_entropy' || lossFnInputs.weights !== undefined);
    read('referenceLogprobs', (t) => Boolean(config.klCoef) && hasWeight(datum, t));
  });
}

/** Whether the target has a weight or an advantage. */
export function isCounted(datum: Datum, target: number): boolean {
  return hasWeight(datum, target) || hasAdvantage(datum, target);
}

/** Whether a policy loss reads the target's log-probability under the sampling policy. */
export function needsLogprob(datum: Datum, target: number, lossFn: LossFn): boolean {
  return hasAdvantage(datum, target) || (lossFn === 'gspo' && hasWeight(datum, target));
}

function hasWeight({ lossFnInputs }: Datum, target: number): boolean {
  return (lossFnInputs.weights?.[target] ?? 0) !== 0;
}

function hasAdvantage({ lossFnInputs }: Datum, target: number): boolean {
  return (lossFnInputs.advantages?.[target] ?? 0) !== 0;
}

function requireFinite(
  values: readonly number[] | undefined,
  path: string,
  isRead: readonly boolean[],
): void {
  const index = isRead.findIndex((read, t) => read && !Number.isFinite(values?.[t]));
  if (index < 0) return;
  if (!values) throw new AppError('invalid_input', `${path} is missing`);
  throw new AppError('invalid_input', `${path}[${index}] must be finite, got ${values[index]}`);
}
