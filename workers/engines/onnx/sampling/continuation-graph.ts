import { headSize, type ModelConfig, queryWidth } from '../model/parameters';
import { GraphBuilder, type Value } from './graph-builder';
import { declareParameters, declareRotaryTables, decoderStack, languageModelHead } from './model-blocks';

/** Names of the layers' cached keys and values among the graph's inputs. */
export const cachedKeys = (layer: number): string => `cachedKeys.${layer}`;
export const cachedValues = (layer: number): string => `cachedValues.${layer}`;

/** Added to the score of a position that may not be seen; far below any score, yet finite in f32. */
export const HIDDEN = -1e9;

/**
 * The next S tokens of every row of a batch, after what the row's cache holds: prefill where S is long, a decoding step
 * where it is 1. Inputs: `ids` [N = B S], padded at a row's end, where no real token looks; `rowShape` (B, S, -1) and
 * `positions` [B, S]; `lastRows` [B], the place in `ids` of each row's last token; `causalMask` [1, 1, G S, S], the tokens'
 * mask among themselves for each of the G query heads of a key head; `mask` [B, 1, 1, C], 0 where the cache holds a token
 * of the row, else `HIDDEN`; `cachedTokens` (C); and each layer's cache [B, KV, C, hd].
 *
 * The cache is an input only: onnxruntime-node feeds it without a copy but copies every output, so the graph gives the
 * new rows, `appended` [B, 2 L KV, S, hd] with all layers' keys before their values, and the caller writes them where they
 * belong. `logits` [B, V] are those after each row's last token.
 */
export function continuationGraph(config: ModelConfig): {
  model: Uint8Array;
  logits: string;
  appended: string;
} {
  const graph = new GraphBuilder();
  const { keyValueHeads, vocabularySize } = config;
  declareParameters(graph, config);
  const ids = graph.input('ids', 'i32', ['N']);
  const lastRows = graph.input('lastRows', 'i32', ['B']);
  const attention = new CachedAttention(graph, config);
  const hidden = decoderStack(graph, config, ids, attention.mix, (rows) =>
    graph.add('Gather', [rows, lastRows], { axis: 0 }),
  );
  const logits = languageModelHead(graph, config, hidden);
  const appended = graph.add('Concat', [...attention.newKeys, ...attention.newValues], { axis: 1 });
  graph.output(logits, 'f32', ['B', vocabularySize]);
  graph.output(appended, 'f32', ['B', 2 * config.layers * keyValueHeads, 'S', headSize(config)]);
  return { model: graph.encode(), logits, appended };
}

/** Attention of new tokens to the cached ones and among themselves, the scores of both parts under one softmax. */
class CachedAttention {
  readonly newKeys: Value[] = [];
  readonly newValues: Value[] = [];
  private readonly rowShape: Value;
  private readonly positions: Value;
  private readonly causalMask: Value;
  private readonly mask: Value;
  private readonly cachedTokens: Value;
  private readonly rotary: { cos: Value; sin: Value };

  constructor(
    private readonly graph: GraphBuilder,
    private readonly config: ModelConfig,
  ) {
    this.rowShape = graph.input('rowShape', 'i64', [3]);
    this.positions = graph.input('positions', 'i64', ['B', 'S']);
    this.causalMask = graph.input('causalMask', 'f32', [1, 1, 'GS', 'S']);
    this.mask = graph.input('mask', 'f32', ['B', 1, 1, 'C']);
    this.cachedTokens = graph.input('cachedTokens', 'i64', [1]);
    this.rotary = declareRotaryTables(graph, config);
  }

  readonly mix = (layer: number, qkv: Value): Value => {
    const { graph, config } = this;
    const { heads, keyValueHeads } = config;
    const hd = headSize(config);
    const [queryKey = '', valueRows = ''] = graph.split(
      qkv,
      [(heads + keyValueHeads) * hd, keyValueHeads * hd],
      -1,
    );
    const rotated = graph.fresh('rotated');
    graph.addContrib(
      'RotaryEmbedding',
      [graph.add('Reshape', [queryKey, this.rowShape]), this.positions, this.rotary.cos, this.rotary.sin],
      [rotated],
      { interleaved: 0 },
    );
    const [query = '', key = ''] = graph.split(
      this.byHead(rotated, heads + keyValueHeads),
      [heads, keyValueHeads],
      1,
    );
    const value = this.byHead(graph.add('Reshape', [valueRows, this.rowShape]), keyValueHeads);
    this.newKeys.push(key);
    this.newValues.push(value);
    // Query heads that share a key head become the rows of one matrix, so keys and values are not repeated.
    const mixed = this.attend(layer, graph.reshape(query, 0, keyValueHeads, -1, hd), { key, value });
    const byToken = graph.add('Transpose', [graph.reshape(mixed, 0, heads, -1, hd)], { perm: [0, 2, 1, 3] });
    return graph.reshape(byToken, -1, queryWidth(config));
  };

  /** Rows [B, S, heads hd] as [B, heads, S, hd]. */
  private byHead(rows: Value, heads: number): Value {
    const split = this.graph.reshape(rows, 0, 0, heads, headSize(this.config));
    return this.graph.add('Transpose', [split], { perm: [0, 2, 1, 3] });
  }

  /** Queries [B, KV, G S, hd] against the layer's cache and the new tokens' keys and values [B, KV, S, hd]. */
  private attend(layer: number, queries: Value, { key, value }: { key: Value; value: Value }): Value {
    const { graph, config } = this;
    const cacheShape = ['B', config.keyValueHeads, 'C', headSize(config)];
    const keys = graph.input(cachedKeys(layer), 'f32', cacheShape);
    const values = graph.input(cachedValues(layer), 'f32', cacheShape);
    const scores = graph.add(
      'Concat',
      [
        graph.add('Add', [this.scores(queries, keys), this.mask]),
        graph.add('Add', [this.scores(queries, key), this.causalMask]),
      ],
      { axis: -1 },
    );
    const weights = graph.add('Softmax', [scores], { axis: -1 });
    const axis = graph.integers(3);
    const ofCached = graph.add('Slice', [weights, graph.integers(0), this.cachedTokens, axis]);
    const ofNew = graph.add('Slice', [weights, this.cachedTokens, graph.integers(2 ** 30), axis]);
    return graph.add('Add', [graph.add('MatMul', [ofCached, values]), graph.add('MatMul', [ofNew, value])]);
  }

  /** Scaled dot products of queries [B, KV, *, hd] with keys [B, KV, *, hd]. */
  private scores(queries: Value, keys: Value): Value {
    const scores = this.graph.fresh('scores');
    const alpha = { float: 1 / Math.sqrt(headSize(this.config)) };
    this.graph.addContrib('FusedMatMul', [queries, keys], [scores], { transB: 1, alpha });
    return scores;
  }
}
