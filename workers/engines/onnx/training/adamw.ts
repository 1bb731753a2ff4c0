/** AdamW with a global-norm clip on flat vectors. */
import { AppError } from '@/contract/errors';
import type { AdamParams } from '@/contract/engine';

/** First and second moments, each of the parameters' length, and how many updates made them. */
export interface AdamState {
  m: Float32Array;
  v: Float32Array;
  updates: number;
}

export function createAdamState(parameters: number): AdamState {
  return { m: new Float32Array(parameters), v: new Float32Array(parameters), updates: 0 };
}

/**
 * One update of `parameters` and `state` in place; the gradient is only read. Returns the gradient's global L2 norm
 * before clipping. The formula is Loshchilov and Hutter 2019, algorithm 2, as `torch.optim.AdamW` has it: moments with
 * bias correction, epsilon added after the square root, and `learningRate * weightDecay` of every parameter, norms
 * and biases included, taken off before the step. A norm above `gradClipNorm` > 0 scales the gradient down to it.
 * Throws where lengths differ, a setting is out of range or the norm is not finite; then nothing is changed.
 */
export function adamStep(
  parameters: Float32Array,
  gradient: Float32Array,
  state: AdamState,
  adam: AdamParams,
): { gradNorm: number } {
  checkLengths(parameters, { gradient, m: state.m, v: state.v });
  checkAdamParams(adam);
  const gradNorm = norm(gradient);
  if (!Number.isFinite(gradNorm))
    throw new AppError('internal', `the gradient's norm is ${gradNorm}, not a finite number`);
  const { learningRate, beta1, beta2, eps, weightDecay, gradClipNorm } = adam;
  const { m, v } = state;
  const clip = gradClipNorm > 0 && gradNorm > gradClipNorm ? gradClipNorm / gradNorm : 1;
  state.updates++;
  const stepSize = learningRate / (1 - beta1 ** state.updates);
  const correction2 = 1 / (1 - beta2 ** state.updates);
  const keep = 1 - learningRate * weightDecay;
  for (let index = 0; index < parameters.length; index++) {
    const slope = (gradient[index] ?? 0) * clip;
    const first = beta1 * (m[index] ?? 0) + (1 - beta1) * slope;
    const second = beta2 * (v[index] ?? 0) + (1 - beta2) * slope * slope;
    m[index] = first;
    v[index] = second;
    parameters[index] =
      keep * (parameters[index] ?? 0) - (stepSize * first) / (Math.sqrt(second * correction2) + eps);
  }
  return { gradNorm };
}

/** L2 norm, summed in f64. */
function norm(vector: Float32Array): number {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] ?? 0) ** 2;
  return Math.sqrt(squares);
}

function checkLengths(parameters: Float32Array, others: Record<string, Float32Array>): void {
  for (const [name, vector] of Object.entries(others)) {
    if (vector.length !== parameters.length)
      throw new AppError(
        'invalid_input',
        `${name} has ${vector.length} elements, parameters has ${parameters.length}`,
      );
  }
}

function checkAdamParams(adam: AdamParams): void {
  for (const name of ['learningRate', 'eps', 'weightDecay', 'gradClipNorm'] as const) {
    if (!(adam[name] >= 0 && Number.isFinite(adam[name])))
      throw new AppError('invalid_input', `${name} must be a number of at least 0, got ${adam[name]}`);
  }
  for (const name of ['beta1', 'beta2'] as const) {
    if (!(adam[name] >= 0 && adam[name] < 1))
      throw new AppError('invalid_input', `${name} must be at least 0 and below 1, got ${adam[name]}`);
  }
}
