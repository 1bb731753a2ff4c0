import type { LoraSettings, LoraTarget } from '@/contract/lora';
import { AppError } from '@/contract/errors';
import { type WeightPlace, weightPlaces } from '../checkpoint/weight-layout';
import type { ModelConfig } from '../model/parameters';

/** Hugging Face's names of the linear layers in each group. */
const MODULES: Record<LoraTarget, readonly string[]> = {
  attention: ['q_proj', 'k_proj', 'v_proj', 'o_proj'],
  mlp: ['gate_proj', 'up_proj', 'down_proj'],
  unembed: ['lm_head'],
};

/** The names of the linear layers that a choice of groups adapts, in the order of the groups' own list. */
export function targetModules(targets: readonly LoraTarget[]): string[] {
  return targets.flatMap((target) => MODULES[target]);
}

/**
 * A matrix with an adapter: [rows, columns] within the flat parameter vector, its rows `rowStride` apart. Its update is
 * `scale` L R with L [rows, rank] and R [rank, columns], both row-major within the flat adapter vector.
 */
export interface AdaptedMatrix {
  /** Hugging Face's name of the layer, `model.layers.0.self_attn.q_proj`. */
  module: string;
  rows: number;
  columns: number;
  /** First element within the parameter vector. */
  offset: number;
  rowStride: number;
  /** First element of L within the adapter vector. */
  leftOffset: number;
  /** First element of R within the adapter vector. */
  rightOffset: number;
  /**
   * Which factor reads the layer's input, LoRA's A; the other is B. Matrices of the layout are [in, out], so that it is
   * the left one; the head alone lies as [out, in].
   */
  inputFactor: 'left' | 'right';
}

/** Every adapter of a model, and the flat f32 vector that holds them, [Q]. */
export interface AdapterLayout {
  rank: number;
  /** alpha / rank */
  scale: number;
  matrices: AdaptedMatrix[];
  /** Q, the length of the adapter vector. */
  size: number;
}

/** Places the adapters of a model, matrix after matrix, L before R. Throws where a target names no matrix of the model. */
export function adapterLayout(config: ModelConfig, lora: LoraSettings): AdapterLayout {
  const { rank, alpha, targets } = lora;
  const modules = targetModules(targets);
  let size = 0;
  const matrices = weightPlaces(config).flatMap((place): AdaptedMatrix[] => {
    const module = place.name.replace(/\.weight$/, '');
    if (module === place.name || !modules.includes(module.slice(module.lastIndexOf('.') + 1))) return [];
    const matrix = matrixOf(place);
    const leftOffset = size;
    const rightOffset = leftOffset + matrix.rows * rank;
    size = rightOffset + rank * matrix.columns;
    return [{ module, ...matrix, leftOffset, rightOffset }];
  });
  for (const module of modules)
    if (!matrices.some((matrix) => matrix.module.endsWith(module)))
      throw new AppError('invalid_input', `the model has no ${module} of its own that could have an adapter`);
  return { rank, scale: alpha / rank, matrices, size };
}

function matrixOf({
  shape: [outputs = 0, inputs = 0],
  offset,
  rowStride,
}: WeightPlace): Pick<AdaptedMatrix, 'rows' | 'columns' | 'offset' | 'rowStride' | 'inputFactor'> {
  return rowStride === undefined
    ? { rows: outputs, columns: inputs, offset, rowStride: inputs, inputFactor: 'right' }
    : { rows: inputs, columns: outputs, offset, rowStride, inputFactor: 'left' };
}
