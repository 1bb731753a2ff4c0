import { headSize, type ModelConfig, queryWidth } from '../model/parameters';
import { GraphBuilder, type Value } from './graph-builder';
import { declareParameters, declareRotaryTables, decoderStack, languageModelHead } from './model-blocks';

/** Names of the layers' cached keys and values among the step graph's inputs. */
export const cachedKeys = (layer: number): string => `cachedKeys.${layer}`;
export const cachedValues = (layer: number): string => `cachedValues.${layer}`;

/**
 * One token for every row of a batch. Inputs: `ids` [B], `positions` [B, 1], `mask` [B, 1, 1, C] (0 where the cache
 * holds a token of the row, else a large negative), and each layer's cache [B, KV, C, hd].
 *
 * The cache is an input only: onnxruntime-node feeds it without a copy but copies every output, so the graph gives the
 * new rows, `appended` [B, 2 L KV, 1, hd] with all layers' keys before their values, and the caller writes them where they belong.
 */
export function stepGraph(config: ModelConfig): { model: Uint8Array; logits: string; appended: string } {
  const graph = new GraphBuilder();
  const { keyValueHeads, vocabularySize } = config;
  const hd = headSize(config);
  declareParameters(graph, config);
  const ids = graph.input('ids', 'i32', ['B']);
  const attention = new StepAttention(graph, config);
  const logits = languageModelHead(graph, config, decoderStack(graph, config, ids, attention.mix));
  const appended = graph.add('Concat', [...attention.newKeys, ...attention.newValues], { axis: 1 });
  graph.output(logits, 'f32', ['B', vocabularySize]);
  graph.output(appended, 'f32', ['B', 2 * config.layers * keyValueHeads, 1, hd]);
  return { model: graph.encode(), logits, appended };
}

/** Attention of the new token to the cached ones and to itself, the scores of both parts under one softmax. */
class StepAttention {
  readonly newKeys: Value[] = [];
  readonly newValues: Value[] = [];
  private readonly positions: Value;
  private readonly mask: Value;
  private readonly rotary: { cos: Value; sin: Value };

  constructor(
    private readonly graph: GraphBuilder,
    private readonly config: ModelConfig,
  ) {
    this.positions = graph.input('positions', 'i64', ['B', 1]);
    this.mask = graph.input('mask', 'f32', ['B', 1, 1, 'C']);
    this.rotary = declareRotaryTables(graph, config);
  }

  readonly mix = (layer: number, qkv: Value): Value => {
    const { graph } = this;
    const { heads, keyValueHeads } = this.config;
    const queries = queryWidth(this.config);
    const hd = headSize(this.config);
    const [queryKeyRows = '', valueRows = ''] = graph.split(
      qkv,
      [queries + keyValueHeads * hd, keyValueHeads * hd],
      -1,
    );
    const rotated = graph.fresh('rotated');
    graph.addContrib(
      'RotaryEmbedding',
      [
        graph.reshape(queryKeyRows, 0, heads + keyValueHeads, 1, hd),
        this.positions,
        this.rotary.cos,
        this.rotary.sin,
      ],
      [rotated],
      { interleaved: 0 },
    );
    const [query = '', key = ''] = graph.split(rotated, [heads, keyValueHeads], 1);
    // Query heads that share a key head become the rows of one matrix, so keys and values are not repeated.
    const grouped = graph.reshape(query, 0, keyValueHeads, heads / keyValueHeads, hd);
    const value = graph.reshape(valueRows, 0, keyValueHeads, 1, hd);
    this.newKeys.push(key);
    this.newValues.push(value);

    const cacheShape = ['B', keyValueHeads, 'C', hd];
    const pastKeys = graph.input(cachedKeys(layer), 'f32', cacheShape);
    const pastValues = graph.input(cachedValues(layer), 'f32', cacheShape);
    const pastScores = graph.add('Add', [this.scores(grouped, pastKeys), this.mask]);
    const scores = graph.add('Concat', [pastScores, this.scores(grouped, key)], { axis: -1 });
    const weights = graph.add('Softmax', [scores], { axis: -1 });
    const end = graph.integers(-1);
    const axis = graph.integers(3);
    const pastWeights = graph.add('Slice', [weights, graph.integers(0), end, axis]);
    const ownWeight = graph.add('Slice', [weights, end, graph.integers(2 ** 30), axis]);
    const mixed = graph.add('Add', [
      graph.add('MatMul', [pastWeights, pastValues]),
      graph.add('Mul', [ownWeight, value]),
    ]);
    return graph.reshape(mixed, 0, queries);
  };

  /** Scaled dot products of queries [B, KV, G, hd] with keys [B, KV, *, hd]. */
  private scores(queries: Value, keys: Value): Value {
    const scores = this.graph.fresh('scores');
    const alpha = { float: 1 / Math.sqrt(headSize(this.config)) };
    this.graph.addContrib('FusedMatMul', [queries, keys], [scores], { transB: 1, alpha });
    return scores;
  }
}
