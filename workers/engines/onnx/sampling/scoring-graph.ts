import { headSize, type ModelConfig, queryWidth } from '../model/parameters';
import { GraphBuilder, type Value } from './graph-builder';
import { declareParameters, declareRotaryTables, decoderStack, languageModelHead } from './model-blocks';

/**
 * Log-probability of `targets` [N, 1], each after its token of `ids` [N], one sequence: one output [N, 1]. Other inputs:
 * `lastPosition` (N - 1) and `sequenceLength` (N).
 */
export function scoringGraph(config: ModelConfig): { model: Uint8Array; logprobs: string } {
  const graph = new GraphBuilder();
  declareParameters(graph, config);
  const ids = graph.input('ids', 'i32', ['N']);
  const targets = graph.input('targets', 'i32', ['N', 1]);
  const logits = languageModelHead(
    graph,
    config,
    decoderStack(graph, config, ids, causalAttention(graph, config)),
  );
  const logprobs = graph.add('GatherElements', [graph.add('LogSoftmax', [logits], { axis: -1 }), targets], {
    axis: 1,
  });
  graph.output(logprobs, 'f32', ['N', 1]);
  return { model: graph.encode(), logprobs };
}

/** Causal attention over one whole sequence. */
function causalAttention(graph: GraphBuilder, config: ModelConfig): (layer: number, qkv: Value) => Value {
  const { heads, keyValueHeads } = config;
  const hd = headSize(config);
  const lastPosition = graph.input('lastPosition', 'i32', [1]);
  const sequenceLength = graph.input('sequenceLength', 'i32', [1]);
  const { cos, sin } = declareRotaryTables(graph, config);
  return (layer, qkv) => {
    const mixed = graph.fresh('mixed');
    graph.addContrib(
      'GroupQueryAttention',
      [
        graph.reshape(qkv, 1, -1, queryWidth(config) + 2 * keyValueHeads * hd),
        '',
        '',
        '',
        '',
        lastPosition,
        sequenceLength,
        cos,
        sin,
      ],
      [mixed, `keys.${layer}`, `values.${layer}`],
      {
        num_heads: heads,
        kv_num_heads: keyValueHeads,
        do_rotary: 1,
        scale: { float: 1 / Math.sqrt(hd) },
      },
    );
    return graph.reshape(mixed, -1, queryWidth(config));
  };
}
