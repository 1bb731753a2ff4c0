import {
  headSize,
  type ModelConfig,
  type ParameterSpec,
  parameterSpecs,
  queryWidth,
} from '../model/parameters';

/** A Hugging Face tensor and the place of its values within the flat parameter vector. */
export interface WeightPlace {
  /** Hugging Face's name. */
  name: string;
  /** Hugging Face's shape: [out, in] for a matrix, [size] for a vector, [V, d] for embedding and head. */
  shape: number[];
  /** First element within the flat vector. */
  offset: number;
  /** Where set, element [o, i] lies at `offset + i * rowStride + o`; otherwise the values lie in order. */
  rowStride?: number;
}

/**
 * Every tensor of a Hugging Face checkpoint of the model's family with its place in the layout of `parameterSpecs`, which
 * decides which biases and head norms there are. The parts of a fused matrix are blocks of its columns.
 */
export function weightPlaces(config: ModelConfig): WeightPlace[] {
  const specs = new Map(parameterSpecs(config).map((spec) => [spec.name, spec]));
  const vector = (name: string, part: string): WeightPlace[] => wholeTensor(name, specs.get(part));
  const blocks = (part: string, parts: [name: string, columns: number][]): WeightPlace[] =>
    columnBlocks(specs.get(part), parts);
  const { hiddenSize, intermediateSize } = config;
  const keyValueWidth = config.keyValueHeads * headSize(config);
  const places = vector('model.embed_tokens.weight', 'embedding');
  for (let layer = 0; layer < config.layers; layer++) {
    const prefix = `model.layers.${layer}`;
    const attention = `${prefix}.self_attn`;
    const projections = (kind: 'weight' | 'bias'): [string, number][] => [
      [`${attention}.q_proj.${kind}`, queryWidth(config)],
      [`${attention}.k_proj.${kind}`, keyValueWidth],
      [`${attention}.v_proj.${kind}`, keyValueWidth],
    ];
    places.push(
      ...vector(`${prefix}.input_layernorm.weight`, `${layer}.inputNorm`),
      ...vector(`${prefix}.post_attention_layernorm.weight`, `${layer}.postNorm`),
      ...blocks(`${layer}.qkvWeight`, projections('weight')),
      ...blocks(`${layer}.qkvBias`, projections('bias')),
      ...vector(`${attention}.q_norm.weight`, `${layer}.queryNorm`),
      ...vector(`${attention}.k_norm.weight`, `${layer}.keyNorm`),
      ...blocks(`${layer}.outputWeight`, [[`${attention}.o_proj.weight`, hiddenSize]]),
      ...vector(`${attention}.o_proj.bias`, `${layer}.outputBias`),
      ...blocks(`${layer}.gateUpWeight`, [
        [`${prefix}.mlp.gate_proj.weight`, intermediateSize],
        [`${prefix}.mlp.up_proj.weight`, intermediateSize],
      ]),
      ...blocks(`${layer}.downWeight`, [[`${prefix}.mlp.down_proj.weight`, hiddenSize]]),
    );
  }
  return [...places, ...vector('model.norm.weight', 'finalNorm'), ...vector('lm_head.weight', 'head')];
}

/** A tensor whose values lie in the layout's order; none where the layout has no such part. */
function wholeTensor(name: string, spec: ParameterSpec | undefined): WeightPlace[] {
  return spec ? [{ name, shape: spec.shape, offset: spec.offset }] : [];
}

/** Splits a fused [in, out] matrix, or its bias [out], into named parts of so many columns each. */
function columnBlocks(
  spec: ParameterSpec | undefined,
  parts: [name: string, columns: number][],
): WeightPlace[] {
  if (!spec) return [];
  const isBias = spec.shape.length === 1;
  const rows = spec.shape[0] ?? 0;
  const rowStride = spec.shape[1];
  let column = 0;
  return parts.map(([name, columns]) => {
    const offset = spec.offset + column;
    column += columns;
    return isBias ? { name, shape: [columns], offset } : { name, shape: [columns, rows], offset, rowStride };
  });
}

/** Copies a Hugging Face tensor's values to their place in the flat vector. */
export function placeWeight(place: WeightPlace, values: Float32Array, parametersP: Float32Array): void {
  const { offset, rowStride } = place;
  if (rowStride === undefined) {
    parametersP.set(values, offset);
    return;
  }
  forEachElement(place, rowStride, (element, index) => {
    parametersP[index] = values[element] ?? 0;
  });
}

/** The values of a Hugging Face tensor, taken from the flat vector. */
export function extractWeight(place: WeightPlace, parametersP: Float32Array): Float32Array {
  const size = place.shape.reduce((product, n) => product * n, 1);
  const { offset, rowStride } = place;
  if (rowStride === undefined) return parametersP.slice(offset, offset + size);
  const values = new Float32Array(size);
  forEachElement(place, rowStride, (element, index) => {
    values[element] = parametersP[index] ?? 0;
  });
  return values;
}

/** Visits a transposed tensor's elements in row-major order with their index in the flat vector. */
function forEachElement(
  place: WeightPlace,
  rowStride: number,
  visit: (element: number, index: number) => void,
): void {
  const [outputs = 0, inputs = 0] = place.shape;
  let element = 0;
  for (let output = 0; output < outputs; output++)
    for (let input = 0; input < inputs; input++) visit(element++, place.offset + input * rowStride + output);
}
