/** Shape of a Qwen2 model, as its `config.json` states it. */
export interface ModelConfig {
  vocabularySize: number;
  hiddenSize: number;
  layers: number;
  /** Query heads. */
  heads: number;
  /** Key and value heads; divides `heads`. */
  keyValueHeads: number;
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

export function headSize(config: ModelConfig): number {
  return config.hiddenSize / config.heads;
}

/**
 * The layout of the flat f32 parameter vector, in order: embedding [V, d]; per layer the input norm [d], fused
 * QKV weight [d, (H + 2 KV) hd] and bias, output projection [d, d], post-attention norm [d], fused gate and up
 * [d, 2 ff], down [ff, d]; final norm [d]; head [V, d] where it is not tied.
 */
export function parameterSpecs(config: ModelConfig): ParameterSpec[] {
  const { vocabularySize: V, hiddenSize: d, intermediateSize: ff } = config;
  const qkv = (config.heads + 2 * config.keyValueHeads) * headSize(config);
  const shapes: [string, number[]][] = [['embedding', [V, d]]];
  for (let layer = 0; layer < config.layers; layer++) {
    shapes.push(
      [`${layer}.inputNorm`, [d]],
      [`${layer}.qkvWeight`, [d, qkv]],
      [`${layer}.qkvBias`, [qkv]],
      [`${layer}.outputWeight`, [d, d]],
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
