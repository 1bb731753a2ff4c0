/** The training graph: packed rows in, loss, target log-probabilities and the gradient of every parameter out. */
import type { LossFn } from '@/contract/engine';
import { entropy, logSoftmax } from '../graph/distribution';
import { gatherElements } from '../graph/layout';
import { Tape } from '../graph/tape';
import type { Precision } from '../graph/tape';
import { declareParameters, forward, POSITIONS, ROWS, TOKENS } from '../model/forward';
import type { ModelConfig } from '../model/parameters';
import { crossEntropyLoss, ppoLoss } from './losses';

export interface TrainingGraphOptions {
  config: ModelConfig;
  /** T, tokens of a row. */
  rowLength: number;
  lossFn: LossFn;
  /** Default f32; f64 is for checking gradients. */
  precision?: Precision;
  /** Use onnxruntime's own operators, default where the precision is f32. */
  fused?: boolean;
}

/**
 * Inputs: `parameter.NAME`; `tokens` i32 [N], `positions` i32 [B, T], `mask` [B, 1, T, T], `predicted` i32 [M]
 * (distinct indices into N), `targets` i32 [E] (distinct indices into the flattened [M, V]); the loss's own,
 * see `crossEntropyLoss` and `ppoLoss`. Outputs: `loss` [], `logprobs` [E], `entropies` [M] (`ppo` only), `gradient.NAME`.
 * B, N, M and E are free, so that one session serves every batch of its row length.
 */
export function buildTrainingGraph(options: TrainingGraphOptions): Uint8Array {
  const { config, rowLength, lossFn, precision = 'f32' } = options;
  const tape = new Tape(precision, options.fused ?? precision === 'f32');
  const parameters = declareParameters(tape, config);
  const logits = forward(tape, config, parameters, {
    tokens: tape.input('tokens', 'i32', [TOKENS]),
    positions: tape.input('positions', 'i32', [ROWS, rowLength]),
    mask: tape.input('mask', precision, [ROWS, 1, rowLength, rowLength]),
    predicted: tape.input('predicted', 'i32', [POSITIONS]),
  });
  const distributions = logSoftmax(tape, logits);
  const logprobs = gatherElements(tape, distributions, tape.input('targets', 'i32', ['targets']));
  tape.output(logprobs, 'logprobs');
  const loss = lossFn === 'ppo' ? withEntropy() : crossEntropyLoss(tape, logprobs);
  tape.output(loss, 'loss');
  const gradients = tape.gradients(loss, parameters);
  for (const [name, gradient] of gradients) tape.output(gradient, `gradient.${name}`);
  return tape.encode();

  function withEntropy() {
    const entropies = entropy(tape, distributions);
    tape.output(entropies, 'entropies');
    return ppoLoss(tape, logprobs, entropies);
  }
}
