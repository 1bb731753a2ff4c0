import { headSize, type ModelConfig, type ParameterSpec, parameterSpecs } from '../model/parameters';

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
 * Every tensor of a Hugging Face Qwen2 checkpoint with its place in the layout of `parameterSpecs`. The parts of a
 * fused matrix are blocks of its columns.
 */
export function weightPlaces(config: ModelConfig): WeightPlace[] {
  const specs = new Map(parameterSpecs(config).map((spec) => [spec.name, spec]));
  const find = (name: string): ParameterSpec => {
    const spec = specs.get(name);
    if (!spec) throw new Error(`the parameter layout has no "${name}"`);
    return spec;
  };
  const whole = (name: string, part: string): WeightPlace => ({
    name,
    shape: find(part).shape,
    offset: find(part).offset,
  });
  const d = config.hiddenSize;
  const keyValueSize = config.keyValueHeads * headSize(config);
  const places = [whole('model.embed_tokens.weight', 'embedding')];
  for (let layer = 0; layer < config.layers; layer++) {
    const prefix = `model.layers.${layer}`;
    places.push(
      whole(`${prefix}.input_layernorm.weight`, `${layer}.inputNorm`),
      whole(`${prefix}.post_attention_layernorm.weight`, `${layer}.postNorm`),
      ...columnBlocks(find(`${layer}.qkvWeight`), [
        [`${prefix}.self_attn.q_proj.weight`, d],
        [`${prefix}.self_attn.k_proj.weight`, keyValueSize],
        [`${prefix}.self_attn.v_proj.weight`, keyValueSize],
      ]),
      ...columnBlocks(find(`${layer}.qkvBias`), [
        [`${prefix}.self_attn.q_proj.bias`, d],
        [`${prefix}.self_attn.k_proj.bias`, keyValueSize],
        [`${prefix}.self_attn.v_proj.bias`, keyValueSize],
      ]),
      ...columnBlocks(find(`${layer}.outputWeight`), [[`${prefix}.self_attn.o_proj.weight`, d]]),
      ...columnBlocks(find(`${layer}.gateUpWeight`), [
        [`${prefix}.mlp.gate_proj.weight`, config.intermediateSize],
        [`${prefix}.mlp.up_proj.weight`, config.intermediateSize],
      ]),
      ...columnBlocks(find(`${layer}.downWeight`), [[`${prefix}.mlp.down_proj.weight`, d]]),
    );
  }
  places.push(whole('model.norm.weight', 'finalNorm'));
  if (!config.tiedEmbeddings) places.push(whole('lm_head.weight', 'head'));
  return places;
}

/** Splits a fused [in, out] matrix, or its bias [out], into named parts of so many columns each. */
function columnBlocks(spec: ParameterSpec, parts: [name: string, columns: number][]): WeightPlace[] {
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
