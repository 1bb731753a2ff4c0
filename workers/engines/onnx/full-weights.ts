import type { AdamParams, OptimStepOutput } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './checkpoint/folder';
import type { ModelConfig } from './model/parameters';
import type { TrainableWeights } from './trainable-weights';
import { adamStep, type AdamState, createAdamState } from './training/adamw';

/** Training of all parameters. */
export class FullWeights implements TrainableWeights {
  parametersP: Float32Array;
  private adam: AdamState;

  /** Begins with the weights of `origin` and zero moments. */
  constructor(private readonly origin: Checkpoint) {
    this.parametersP = origin.parametersP.slice();
    this.adam = createAdamState(this.parametersP.length);
  }

  get trainableCount(): number {
    return this.parametersP.length;
  }

  update(gradientP: Float32Array, adam: AdamParams): OptimStepOutput {
    const { gradNorm } = adamStep(this.parametersP, gradientP, this.adam, adam);
    return { gradNorm, updates: this.adam.updates };
  }

  save(dir: string): Promise<void> {
    return saveCheckpoint(dir, { ...this.origin, parametersP: this.parametersP, optimizer: this.adam });
  }

  /** Weights without an optimizer start with zero moments; those of a run with adapters are its merged ones. */
  async load(dir: string): Promise<void> {
    const loaded = await loadCheckpoint(dir);
    for (const [field, value] of Object.entries(this.origin.config)) {
      const other = loaded.config[field as keyof ModelConfig];
      if (other !== value)
        throw new AppError('invalid_input', `${dir}: ${field} is ${other}, this engine's model has ${value}`);
    }
    this.parametersP = loaded.parametersP;
    this.adam = loaded.optimizer ?? createAdamState(loaded.parametersP.length);
  }
}
