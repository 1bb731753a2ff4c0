import { headSize, type ModelConfig, queryWidth } from '../model/parameters';
import { GraphBuilder, type Value } from './graph-builder';
import { declareParameters, declareRotaryTables, decoderStack, languageModelHead } from './model-blocks';

/** Names of the layers' keys and values among the prefill graph's outputs. */
export const keyOutput = (layer: number): string => `keys.${layer}`;
export const valueOutput = (layer: number): string => `values.${layer}`;

/**
 * Causal attention over whole sequences. Sequences are padded at the end, where no real token looks, so every row of
 * the batch may count as full.
 */
function declareSequences(
  graph: GraphBuilder,
  config: ModelConfig,
): { ids: Value; attention: (layer: number, qkv: Value) => Value } {
  const { heads, keyValueHeads } = config;
  const ids = graph.input('ids', 'i32', ['N']);
  const qkvShape = graph.input('qkvShape', 'i64', [3]);
  const lastPositions = graph.input('lastPositions', 'i32', ['B']);
  const sequenceLength = graph.input('sequenceLength', 'i32', [1]);
  const { cos, sin } = declareRotaryTables(graph, config);
  const attention = (layer: number, qkv: Value): Value => {
    const batched = graph.add('Reshape', [qkv, qkvShape]);
    const mixed = graph.fresh('mixed');
    graph.addContrib(
      'GroupQueryAttention',
      [batched, '', '', '', '', lastPositions, sequenceLength, cos, sin],
      [mixed, keyOutput(layer), valueOutput(layer)],
      {
        num_heads: heads,
        kv_num_heads: keyValueHeads,
        do_rotary: 1,
        scale: { float: 1 / Math.sqrt(headSize(config)) },
      },
    );
    return graph.reshape(mixed, -1, queryWidth(config));
  };
  return { ids, attention };
}

/**
 * Prompts in, the cache to continue them out. Inputs: `ids` [N = B S], `qkvShape` (B, S, -1), `lastPositions` [B] and
 * `sequenceLength` [1] (S - 1 and S), `lastRows` [B], the row of each prompt's last token. Outputs: `logits` [B, V]
 * of those rows, and the rotated keys and the values of every layer, [B, KV, S, hd].
 */
export function prefillGraph(config: ModelConfig): { model: Uint8Array; logits: string } {
  const graph = new GraphBuilder();
  declareParameters(graph, config);
  const { ids, attention } = declareSequences(graph, config);
  const lastRows = graph.input('lastRows', 'i32', ['B']);
  const hidden = decoderStack(graph, config, ids, attention, (rows) =>
    graph.add('Gather', [rows, lastRows], { axis: 0 }),
  );
  const logits = languageModelHead(graph, config, hidden);
  graph.output(logits, 'f32', ['B', config.vocabularySize]);
  const cacheShape = ['B', config.keyValueHeads, 'S', headSize(config)];
  for (let layer = 0; layer < config.layers; layer++) {
    graph.output(keyOutput(layer), 'f32', cacheShape);
    graph.output(valueOutput(layer), 'f32', cacheShape);
  }
  return { model: graph.encode(), logits };
}

/** Log-probability of `targets` [N, 1] after each of `ids` [N]: one output [N, 1]. Other inputs as in `prefillGraph`. */
export function scoringGraph(config: ModelConfig): { model: Uint8Array; logprobs: string } {
  const graph = new GraphBuilder();
  declareParameters(graph, config);
  const { ids, attention } = declareSequences(graph, config);
  const targets = graph.input('targets', 'i32', ['N', 1]);
  const logits = languageModelHead(graph, config, decoderStack(graph, config, ids, attention));
  const logprobs = graph.add('GatherElements', [graph.add('LogSoftmax', [logits], { axis: -1 }), targets], {
    axis: 1,
  });
  graph.output(logprobs, 'f32', ['N', 1]);
  return { model: graph.encode(), logprobs };
}
