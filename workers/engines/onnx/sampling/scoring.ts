import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelConfig } from '../model/parameters';
import { floatOutput, openSession } from '../session';
import { scoringGraph } from './scoring-graph';

/** Log-probabilities of given tokens; its graph is built when it is first asked. */
export class Scoring {
  private graph: Promise<{ session: InferenceSession; logprobs: string }> | null = null;

  constructor(private readonly config: ModelConfig) {}

  /** Log-probability at temperature 1 of each token given those before it; the first is NaN. */
  async computeLogprobs(parameters: Record<string, Tensor>, tokens: readonly number[]): Promise<number[]> {
    if (tokens.length < 2) return tokens.map(() => NaN);
    this.graph ??= this.open();
    const { session, logprobs } = await this.graph;
    const length = tokens.length - 1;
    const outputs = await session.run({
      ...parameters,
      ids: new Tensor('int32', Int32Array.from(tokens.slice(0, -1)), [length]),
      targets: new Tensor('int32', Int32Array.from(tokens.slice(1)), [length, 1]),
      lastPosition: new Tensor('int32', Int32Array.of(length - 1), [1]),
      sequenceLength: new Tensor('int32', Int32Array.of(length), [1]),
    });
    return [NaN, ...floatOutput(outputs, logprobs)];
  }

  private async open(): Promise<{ session: InferenceSession; logprobs: string }> {
    const { model, logprobs } = scoringGraph(this.config);
    return { session: await openSession(model), logprobs };
  }
}
