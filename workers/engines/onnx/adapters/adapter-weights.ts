import { createHash } from 'node:crypto';
import type { AdamParams, OptimStepOutput } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { createRandom, hashSeed } from '@/rl/random';
import { type AdapterOrigin, loadAdapters, writeAdapters } from '../checkpoint/adapter-folder';
import { type Checkpoint, saveCheckpoint } from '../checkpoint/folder';
import type { TrainableWeights } from '../trainable-weights';
import { adamStep, type AdamState, createAdamState } from '../training/adamw';
import { initializeAdapters } from './initialize';
import { type AdapterLayout, adapterLayout } from './layout';
import { mergeAdapters } from './merge';
import { projectGradient } from './project-gradient';

/**
 * Training of adapters alone. Graphs and samplers see the merged weights; the adapters' gradient is the chain rule applied
 * to that of all parameters.
 */
export class AdapterWeights implements TrainableWeights {
  readonly parametersP: Float32Array;
  private readonly layout: AdapterLayout;
  private readonly origin: AdapterOrigin;
  private adaptersQ: Float32Array;
  private adam: AdamState;

  /** Begins with the weights of `base`, which it never changes. `baseName` is what saved adapters call it. */
  constructor(
    private readonly base: Checkpoint,
    baseName: string,
    { seed, ...lora }: SeededLora,
  ) {
    this.layout = adapterLayout(base.config, lora);
    this.origin = { lora, baseName, baseSha256: sha256Of(base.parametersP) };
    this.adaptersQ = initializeAdapters(this.layout, createRandom(hashSeed(seed, 'adapters')));
    this.adam = createAdamState(this.layout.size);
    this.parametersP = base.parametersP.slice();
  }

  get trainableCount(): number {
    return this.layout.size;
  }

  update(gradientP: Float32Array, adam: AdamParams): OptimStepOutput {
    const gradientQ = projectGradient(this.layout, gradientP, this.adaptersQ);
    const { gradNorm } = adamStep(this.adaptersQ, gradientQ, this.adam, adam);
    this.merge();
    return { gradNorm, updates: this.adam.updates };
  }

  save(dir: string): Promise<void> {
    const merged = { ...this.base, parametersP: this.parametersP, optimizer: null };
    return saveCheckpoint(dir, merged, {}, (partial) =>
      writeAdapters(partial, this.origin, this.layout, { adaptersQ: this.adaptersQ, optimizer: this.adam }),
    );
  }

  /** Adapters without an optimizer start with zero moments. */
  async load(dir: string): Promise<void> {
    const { adaptersQ, optimizer } = await loadAdapters(dir, this.origin, this.layout);
    this.adaptersQ = adaptersQ;
    this.adam = optimizer ?? createAdamState(this.layout.size);
    this.merge();
  }

  private merge(): void {
    mergeAdapters(this.layout, this.base.parametersP, this.adaptersQ, this.parametersP);
  }
}

function sha256Of(values: Float32Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return createHash('sha256').update(bytes).digest('hex');
}
