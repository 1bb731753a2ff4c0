/** A model definition of transformers, named as its `model_type`. Qwen3 normalises queries and keys head by head. */
export type ModelFamily = 'qwen2' | 'qwen3';

/** Shape of a model, as its `config.json` states it. */
export interface ModelConfig {
  /** Default `qwen2`. */
  family?: ModelFamily;
  vocabularySize: number;
  hiddenSize: number;
  layers: number;
  /** Query heads. */
  heads: number;
  /** Key and value heads; divides `heads`. */
  keyValueHeads: number;
  /** Size of one head, default `hiddenSize / heads`; heads together need not have the hidden size. */
  headSize?: number;
  /**
   * Of Qwen3: the query, key, value and output projections have biases, default false. Qwen2 always has the first three
   * and never the last, whatever this says.
   */
  attentionBias?: boolean;
  intermediateSize: number;
  ropeTheta: number;
  rmsNormEps: number;
  /** The output head is the transposed embedding. */
  tiedEmbeddings: boolean;
  maxPositions: number;
}

/** One tensor of the flat parameter vector. Matrices are [in, out]; query, key, value and gate, up are fused by column. */
export interface ParameterSpec {
  name: string;
  shape: number[];
  /** First element within the flat vector. */
  offset: number;
  size: number;
}

/** hd, the size of one query, key or value head. */
export function headSize(config: ModelConfig): number {
  return config.headSize ?? config.hiddenSize / config.heads;
}

/** H hd, the size of all query heads together: what attention mixes and the output projection reads. */
export function queryWidth(config: ModelConfig): number {
  return config.heads * headSize(config);
}

/**
 * The layout of the flat f32 parameter vector, in order: embedding [V, d]; per layer the input norm [d], fused
 * QKV weight [d, (H + 2 KV) hd] and bias, query and key norm [hd], output projection [H hd, d] and bias, post-attention
 * norm [d], fused gate and up [d, 2 ff], down [ff, d]; final norm [d]; head [V, d] where it is not tied. Biases and head
 * norms are there where the family has them; the graphs compute what the layout holds.
 */
export function parameterSpecs(config: ModelConfig): ParameterSpec[] {
  const { vocabularySize: V, hiddenSize: d, intermediateSize: ff } = config;
  const hd = headSize(config);
  const qkv = (config.heads + 2 * config.keyValueHeads) * hd;
  const isQwen3 = config.family === 'qwen3';
  const hasBiases = isQwen3 && config.attentionBias === true;
  const shapes: [string, number[]][] = [['embedding', [V, d]]];
  for (let layer = 0; layer < config.layers; layer++) {
    shapes.push([`${layer}.inputNorm`, [d]], [`${layer}.qkvWeight`, [d, qkv]]);
    if (!isQwen3 || hasBiases) shapes.push([`${layer}.qkvBias`, [qkv]]);
    if (isQwen3) shapes.push([`${layer}.queryNorm`, [hd]], [`${layer}.keyNorm`, [hd]]);
    shapes.push([`${layer}.outputWeight`, [queryWidth(config), d]]);
    if (hasBiases) shapes.push([`${layer}.outputBias`, [d]]);
    shapes.push(
      [`${layer}.postNorm`, [d]],
      [`${layer}.gateUpWeight`, [d, 2 * ff]],
      [`${layer}.downWeight`, [ff, d]],
    );
  }
  shapes.push(['finalNorm', [d]]);
  if (!config.tiedEmbeddings) shapes.push(['head', [V, d]]);
  let offset = 0;
  return shapes.map(([name, shape]) => {
    const size = shape.reduce((product, n) => product * n, 1);
    const spec = { name, shape, offset, size };
    offset += size;
    return spec;
  });
}

/** Name of the graph input that holds a tensor of the layout, in every graph. */
export function parameterInput(name: string): string {
  return `parameter.${name}`;
}

export function parameterCount(config: ModelConfig): number {
  return parameterSpecs(config).reduce((sum, spec) => sum + spec.size, 0);
}
