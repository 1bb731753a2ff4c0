/** The training graph: packed rows in, loss, target log-probabilities and the gradient of every parameter out. */
import type { LossFn } from '@/contract/engine';
import { nextTokens } from '../graph/distribution';
import { Tape } from '../graph/tape';
import type { Precision } from '../graph/tape';
import { declareParameters, forward, POSITIONS, ROWS, TOKENS } from '../model/forward';
import type { ModelConfig } from '../model/parameters';
import { crossEntropyLoss, policyLoss } from './losses';

export interface TrainingGraphOptions {
  config: ModelConfig;
  /** T, tokens of a row. */
  rowLength: number;
  lossFn: LossFn;
  /** Whether the gradient of every parameter is computed too, default true. */
  backward?: boolean;
  /** Default f32; f64 is for checking gradients. */
  precision?: Precision;
  /** Use onnxruntime's own operators, default where the precision is f32. */
  fused?: boolean;
}

/**
 * Inputs: `parameter.NAME`; `tokens` i32 [N], `positions` i32 [B, T], `mask` [B, 1, T, T], `predicted` i32 [M]
 * (distinct indices into N), `targets` i32 [E] (distinct indices into the flattened [M, V]); the loss's own,
 * see `crossEntropyLoss` and `policyLoss`. Outputs: `loss` [], `logprobs` [E], `entropies` [M] of policy losses, and with
 * a backward pass `gradient.NAME`.
 * B, N, M and E are free, so that one session serves every batch of its row length.
 */
export function buildTrainingGraph(options: TrainingGraphOptions): Uint8Array {
  const { config, rowLength, lossFn, backward = true, precision = 'f32' } = options;
  const tape = new Tape(precision, options.fused ?? precision === 'f32');
  const parameters = declareParameters(tape, config);
  const logits = forward(tape, config, parameters, {
    tokens: tape.input('tokens', 'i32', [TOKENS]),
    positions: tape.input('positions', 'i32', [ROWS, rowLength]),
    mask: tape.input('mask', precision, [ROWS, 1, rowLength, rowLength]),
    predicted: tape.input('predicted', 'i32', [POSITIONS]),
  });
  const { logprobs, entropies } = nextTokens(tape, logits, tape.input('targets', 'i32', ['targets']));
  tape.output(logprobs, 'logprobs');
  if (lossFn !== 'cross_entropy') tape.output(entropies, 'entropies');
  const loss =
    lossFn === 'cross_entropy'
      ? crossEntropyLoss(tape, logprobs)
      : policyLoss(tape, lossFn, logprobs, entropies);
  tape.output(loss, 'loss');
  if (backward)
    for (const [name, gradient] of tape.gradients(loss, parameters))
      tape.output(gradient, `gradient.${name}`);
  return tape.encode();
}
