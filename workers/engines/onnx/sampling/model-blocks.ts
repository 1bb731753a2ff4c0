/**
 * The parts of a Qwen2 or Qwen3 model that prefill, step and scoring graphs share. All rows are tokens: values are [N, size].
 * Parameters are inputs rather than constants: they are fed without a copy, so a new policy version costs nothing.
 */
import { rotaryTables } from '../graph/attention';
import { headSize, type ModelConfig, parameterInput, parameterSpecs, queryWidth } from '../model/parameters';
import type { GraphBuilder, Value } from './graph-builder';

export function declareParameters(graph: GraphBuilder, config: ModelConfig): void {
  for (const { name, shape } of parameterSpecs(config)) graph.input(parameterInput(name), 'f32', shape);
}

/** Cosine and sine of every position and frequency, [maxPositions, hd / 2] each, as constants. */
export function declareRotaryTables(graph: GraphBuilder, config: ModelConfig): { cos: Value; sin: Value } {
  const { maxPositions, ropeTheta } = config;
  const size = headSize(config);
  const { cos, sin } = rotaryTables({ size, theta: ropeTheta, maxPositions });
  const shape = [maxPositions, size / 2];
  return {
    cos: graph.floats('cos', shape, Float32Array.from(cos)),
    sin: graph.floats('sin', shape, Float32Array.from(sin)),
  };
}

/** The residual stream, and what was last added to it but not yet summed. */
interface Residual {
  stream: Value;
  update: Value | null;
}

/** Sums the pending update into the stream and normalises the sum, in one node. */
function addAndNorm(
  graph: GraphBuilder,
  config: ModelConfig,
  { stream, update }: Residual,
  normName: string,
): { normed: Value; stream: Value } {
  const epsilon = { float: config.rmsNormEps };
  const scale = parameterInput(normName);
  if (update === null)
    return {
      normed: graph.add('SimplifiedLayerNormalization', [stream, scale], { axis: -1, epsilon }),
      stream,
    };
  const normed = graph.fresh('normed');
  const sum = graph.fresh('stream');
  graph.addContrib('SkipSimplifiedLayerNormalization', [stream, update, scale], [normed, '', '', sum], {
    epsilon,
  });
  return { normed, stream: sum };
}

/**
 * Attention of one layer: fused query, key and value rows [N, (H + 2 KV) hd] in, normed but not turned to their
 * positions, mixed heads [N, H hd] out.
 */
export type Attention = (layer: number, qkv: Value) => Value;

/** `rows` [N, in] times a weight, plus its bias where the family has one. */
function project(graph: GraphBuilder, rows: Value, weight: Value, bias: Value | undefined): Value {
  return bias === undefined ? graph.add('MatMul', [rows, weight]) : graph.add('Gemm', [rows, weight, bias]);
}

/** Fused rows [N, (H + 2 KV) hd] with every query and key head normed by itself. */
function normHeads(
  graph: GraphBuilder,
  config: ModelConfig,
  qkv: Value,
  gains: { query: Value; key: Value },
): Value {
  const { heads, keyValueHeads } = config;
  const hd = headSize(config);
  const attributes = { axis: -1, epsilon: { float: config.rmsNormEps } };
  const byHead = graph.reshape(qkv, 0, heads + 2 * keyValueHeads, hd);
  const [query = '', key = '', value = ''] = graph.split(byHead, [heads, keyValueHeads, keyValueHeads], 1);
  const normed = [
    graph.add('SimplifiedLayerNormalization', [query, gains.query], attributes),
    graph.add('SimplifiedLayerNormalization', [key, gains.key], attributes),
  ];
  return graph.reshape(
    graph.add('Concat', [...normed, value], { axis: 1 }),
    0,
    queryWidth(config) + 2 * keyValueHeads * hd,
  );
}

/** Embeds ids [N] and runs every layer; returns the final normed hidden rows [N, d] of the rows `select` keeps. */
export function decoderStack(
  graph: GraphBuilder,
  config: ModelConfig,
  ids: Value,
  attention: Attention,
  select: (hidden: Value) => Value = (hidden) => hidden,
): Value {
  const ff = config.intermediateSize;
  const names = new Set(parameterSpecs(config).map(({ name }) => name));
  let residual: Residual = {
    stream: graph.add('Gather', [parameterInput('embedding'), ids], { axis: 0 }),
    update: null,
  };
  for (let layer = 0; layer < config.layers; layer++) {
    const weight = (name: string): Value => parameterInput(`${layer}.${name}`);
    const optional = (name: string) => (names.has(`${layer}.${name}`) ? weight(name) : undefined);
    const before = addAndNorm(graph, config, residual, `${layer}.inputNorm`);
    let qkv = project(graph, before.normed, weight('qkvWeight'), optional('qkvBias'));
    const query = optional('queryNorm');
    const key = optional('keyNorm');
    if (query !== undefined && key !== undefined) qkv = normHeads(graph, config, qkv, { query, key });
    // No later layer attends to the rows that are not kept, so the rest of the network needs only the others.
    const kept = layer === config.layers - 1 ? select : (rows: Value) => rows;
    const heads = kept(attention(layer, qkv));
    const stream = kept(before.stream);
    const mixed = project(graph, heads, weight('outputWeight'), optional('outputBias'));
    const after = addAndNorm(graph, config, { stream, update: mixed }, `${layer}.postNorm`);
    const [gate = '', up = ''] = graph.split(
      graph.add('MatMul', [after.normed, weight('gateUpWeight')]),
      [ff, ff],
      -1,
    );
    const activated = graph.fresh('activated');
    graph.addContrib('QuickGelu', [gate], [activated], { alpha: { float: 1 } });
    const update = graph.add('MatMul', [graph.add('Mul', [activated, up]), weight('downWeight')]);
    residual = { stream: after.stream, update };
  }
  return addAndNorm(graph, config, residual, 'finalNorm').normed;
}

/** Logits [N, V] of hidden rows [N, d], by the head or the tied embedding. */
export function languageModelHead(graph: GraphBuilder, config: ModelConfig, hidden: Value): Value {
  const head = parameterInput(config.tiedEmbeddings ? 'embedding' : 'head');
  return graph.add('Gemm', [hidden, head], { transB: 1 });
}
