/**
 * Qwen2's and Qwen3's forward pass as transformers' `modeling_qwen2.py` and `modeling_qwen3.py` define it, in f64 and in
 * loops over named tensors: what every graph is held to. It shares neither layout nor code with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the modelling code reads of `config.json`. */
interface TransformersConfig {
  model_type: 'qwen2' | 'qwen3';
  num_hidden_layers: number;
  num_attention_heads: number;
  num_key_value_heads: number;
  hidden_size: number;
  head_dim?: number;
  attention_bias?: boolean;
  rms_norm_eps: number;
  rope_theta: number;
  tie_word_embeddings: boolean;
}

interface NamedTensor {
  shape: number[];
  /** Row-major. */
  values: Float32Array;
}

/** A model as its folder has it. */
export interface TransformersModel {
  config: TransformersConfig;
  tensors: Map<string, NamedTensor>;
}

/** Reads `config.json` and `model.safetensors`, all of it f32. */
export function readTransformersModel(dir: string): TransformersModel {
  const config = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8')) as TransformersConfig;
  const bytes = readFileSync(join(dir, 'model.safetensors'));
  const dataStart = 8 + Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.toString('utf8', 8, dataStart)) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  const tensors = new Map<string, NamedTensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    if (dtype !== 'F32') throw new Error(`${name} has dtype ${dtype}, the reference reads F32`);
    const [begin, end] = offsets;
    const data = Uint8Array.from(bytes.subarray(dataStart + begin, dataStart + end));
    tensors.set(name, { shape, values: new Float32Array(data.buffer) });
  }
  return { config, tensors };
}

/** Logits [T][V] of the token after each of `tokens`. */
export function referenceLogits(model: TransformersModel, tokens: readonly number[]): number[][] {
  const { config } = model;
  let hidden = tokens.map((token) => row(model, 'model.embed_tokens.weight', token));
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const prefix = `model.layers.${layer}`;
    const mixed = selfAttention(
      model,
      `${prefix}.self_attn`,
      hidden.map((x) => rmsNorm(model, `${prefix}.input_layernorm`, x)),
    );
    hidden = hidden.map((x, position) => sumOf(x, at(mixed, position)));
    hidden = hidden.map((x) => {
      const normed = rmsNorm(model, `${prefix}.post_attention_layernorm`, x);
      const gate = linear(model, `${prefix}.mlp.gate_proj`, normed);
      const up = linear(model, `${prefix}.mlp.up_proj`, normed);
      const activated = gate.map((value, i) => (value / (1 + Math.exp(-value))) * at(up, i));
      return sumOf(x, linear(model, `${prefix}.mlp.down_proj`, activated));
    });
  }
  const head = config.tie_word_embeddings ? 'model.embed_tokens' : 'lm_head';
  return hidden.map((x) => linear(model, head, rmsNorm(model, 'model.norm', x)));
}

/** Log-probabilities of a token's logits. */
export function logSoftmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits);
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0);
  return logits.map((logit) => logit - highest - Math.log(total));
}

/** Causal attention over all positions, output projection included. */
function selfAttention(model: TransformersModel, name: string, x: readonly number[][]): number[][] {
  const { config } = model;
  const { num_attention_heads: heads, num_key_value_heads: keyValueHeads } = config;
  const isQwen3 = config.model_type === 'qwen3';
  const headDim = config.head_dim ?? config.hidden_size / heads;
  const hasBias = isQwen3 ? (config.attention_bias ?? false) : true;
  const headsOf = (projection: string, position: number): number[][] =>
    inPieces(linear(model, `${name}.${projection}`, at(x, position), hasBias), headDim);
  const positions = x.map((_, position) => position);
  const turned = (projection: string, norm: string): number[][][] =>
    positions.map((position) =>
      headsOf(projection, position).map((head) =>
        rotate(config, isQwen3 ? rmsNorm(model, `${name}.${norm}`, head) : head, position),
      ),
    );
  const queries = turned('q_proj', 'q_norm');
  const keys = turned('k_proj', 'k_norm');
  const values = positions.map((position) => headsOf('v_proj', position));
  return positions.map((position) => {
    const mixed = at(queries, position).map((query, head) => {
      // repeat_kv: consecutive query heads share a key and value head.
      const shared = Math.floor(head / (heads / keyValueHeads));
      const seen = positions.slice(0, position + 1);
      const scores = seen.map((past) => dot(query, at(at(keys, past), shared)) / Math.sqrt(headDim));
      const weights = logSoftmax(scores).map(Math.exp);
      return query.map((_, i) =>
        seen.reduce((sum, past) => sum + at(weights, past) * at(at(at(values, past), shared), i), 0),
      );
    });
    return linear(model, `${name}.o_proj`, mixed.flat(), isQwen3 && hasBias);
  });
}

/** `apply_rotary_pos_emb` with `rotate_half`: component i turns with component i + half. */
function rotate(config: TransformersConfig, head: readonly number[], position: number): number[] {
  const half = head.length / 2;
  return head.map((value, i) => {
    const frequency = 1 / config.rope_theta ** ((2 * (i % half)) / head.length);
    const rotatedHalf = i < half ? -at(head, i + half) : at(head, i - half);
    return value * Math.cos(position * frequency) + rotatedHalf * Math.sin(position * frequency);
  });
}

function rmsNorm(model: TransformersModel, name: string, x: readonly number[]): number[] {
  const gain = tensor(model, `${name}.weight`, [x.length]);
  const variance = dot(x, x) / x.length;
  return x.map((value, i) => (at(gain, i) * value) / Math.sqrt(variance + model.config.rms_norm_eps));
}

/** `nn.Linear`: a weight of [out, in], and a bias of [out]. */
function linear(model: TransformersModel, name: string, x: readonly number[], hasBias = false): number[] {
  const [outputs = NaN] = model.tensors.get(`${name}.weight`)?.shape ?? [];
  const weight = tensor(model, `${name}.weight`, [outputs, x.length]);
  const bias = hasBias ? tensor(model, `${name}.bias`, [outputs]) : new Float32Array(outputs);
  return Array.from(bias, (offset, output) => {
    const start = output * x.length;
    return offset + dot(x, weight.subarray(start, start + x.length));
  });
}

function row(model: TransformersModel, name: string, index: number): number[] {
  const width = model.config.hidden_size;
  const [rows = NaN] = model.tensors.get(name)?.shape ?? [];
  return [...tensor(model, name, [rows, width]).subarray(index * width, (index + 1) * width)];
}

function tensor(model: TransformersModel, name: string, shape: readonly number[]): Float32Array {
  const found = model.tensors.get(name);
  if (!found) throw new Error(`there is no tensor ${name}`);
  if (found.shape.join() !== shape.join())
    throw new Error(`${name} is [${found.shape.join()}], the modelling code has [${shape.join()}]`);
  return found.values;
}

function inPieces(values: readonly number[], size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
}

function sumOf(left: readonly number[], right: readonly number[]): number[] {
  return left.map((value, i) => value + at(right, i));
}

function dot(left: readonly number[], right: ArrayLike<number>): number {
  return left.reduce((sum, value, i) => sum + value * at(right, i), 0);
}

function at<Item>(list: ArrayLike<Item>, index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no element ${index} of ${list.length}`);
  return item;
}
