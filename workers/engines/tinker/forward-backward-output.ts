import type { Datum, ForwardBackwardOutput, LossFn, LossFnConfig } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { lossSumOf } from './token-loss';
import type { TinkerProfile } from './profile';
import type { ForwardBackwardAnswer, TensorData } from './wire';

interface Call {
  data: readonly Datum[];
  lossFn: LossFn;
  config: LossFnConfig;
  profile: TinkerProfile;
  /** Address, as errors name it. */
  server: string;
}

/**
 * The answers to one call's parts as one output. A loss in the contract's terms is what our server says, and computed here
 * from the log-probabilities for any other. Throws `invalid_input` where the answers do not fit the data.
 */
export function toForwardBackwardOutput(
  answers: readonly ForwardBackwardAnswer[],
  { data, lossFn, config, profile, server }: Call,
): ForwardBackwardOutput {
  const outputs = answers.flatMap((answer) => answer.loss_fn_outputs);
  if (outputs.length !== data.length)
    throw new AppError(
      'invalid_input',
      `${server} answered ${outputs.length} outputs to ${data.length} data`,
    );
  const arrays = (name: 'logprobs' | 'entropies'): Float32Array[] =>
    outputs.map((output, index) =>
      toArray(output[name], data[index], `${server}: loss_fn_outputs[${index}].${name}`),
    );
  const logprobs = arrays('logprobs');
  const hasEntropies = profile.computesEntropyAndKl && lossFn !== 'cross_entropy';
  return {
    logprobs,
    ...(hasEntropies && { entropies: arrays('entropies') }),
    lossSum: metricSum(answers, 'loss:sum', profile) ?? lossSumOf(data, logprobs, lossFn, config),
    trainedTokens:
      metricSum(answers, 'trained_tokens:sum', profile) ??
      data.reduce((sum, { modelInput }) => sum + modelInput.length, 0),
  };
}

/** A metric of our server's, whose meaning is known. */
function metricSum(
  answers: readonly ForwardBackwardAnswer[],
  name: string,
  profile: TinkerProfile,
): number | undefined {
  if (profile.id !== 'stepscope') return undefined;
  return answers.reduce<number | undefined>((sum, { metrics }) => {
    const value = metrics[name];
    return sum === undefined || value === undefined ? undefined : sum + value;
  }, 0);
}

function toArray(tensor: TensorData | undefined, datum: Datum | undefined, path: string): Float32Array {
  const expected = datum?.modelInput.length ?? 0;
  if (!tensor) throw new AppError('invalid_input', `${path} is missing`);
  if (tensor.data.length !== expected)
    throw new AppError(
      'invalid_input',
      `${path} has ${tensor.data.length} elements, its datum has ${expected}`,
    );
  return Float32Array.from(tensor.data, (value) => value ?? NaN);
}
