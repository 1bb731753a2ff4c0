import type { AdamParams, OptimStepOutput } from '@/contract/engine';

/** What the optimizer moves, and the weights that follow from it: all parameters, or adapters merged into a base. */
export interface TrainableWeights {
  /** The weights as graphs take them, flat f32, [P]; changed in place by `update`, replaced by `load`. */
  readonly parametersP: Float32Array;
  /** Elements that the optimizer moves. */
  readonly trainableCount: number;
  /** One AdamW update from the gradient of all parameters, [P]. Where it throws nothing has changed. */
  update(gradientP: Float32Array, adam: AdamParams): OptimStepOutput;
  /** Writes a Hugging Face folder, whole or not at all, from which `load` restores weights and optimizer exactly. */
  save(dir: string): Promise<void>;
  /** Restores what `save` wrote. Throws what does not fit, naming it; then nothing has changed. */
  load(dir: string): Promise<void>;
}
