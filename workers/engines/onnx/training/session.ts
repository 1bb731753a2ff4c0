/** Training graphs as onnxruntime sessions. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { parameterSpecs } from '../model/parameters';
import type { ModelConfig } from '../model/parameters';
import type { Precision } from '../graph/tape';
import { buildTrainingGraph } from './graph';
import type { TrainingGraphOptions } from './graph';
import type { FeedArray, MicroBatchFeeds } from './micro-batch';

/** Opens a training graph. Spinning threads would starve the other engines of a small machine. */
export function openTrainingSession(
  options: TrainingGraphOptions,
  intraOpNumThreads: number,
): Promise<InferenceSession> {
  return InferenceSession.create(buildTrainingGraph(options), {
    intraOpNumThreads,
    // Planning one block for all activations nearly doubles the peak and gains no time.
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' }, set_denormal_as_zero: '1' } },
  });
}

/** Feeds of every parameter as views of the flat vector: later changes of it are seen without feeding anew. */
export function parameterFeeds(
  config: ModelConfig,
  parameters: Float32Array | Float64Array,
): Record<string, Tensor> {
  return Object.fromEntries(
    parameterSpecs(config).map(({ name, shape, offset, size }) => {
      const view = parameters.subarray(offset, offset + size);
      const tensor =
        view instanceof Float32Array
          ? new Tensor('float32', view, shape)
          : new Tensor('float64', view, shape);
      return [`parameter.${name}`, tensor];
    }),
  );
}

/** A micro-batch as tensors of the graph's precision. */
export function batchFeeds(feeds: MicroBatchFeeds, precision: Precision): Record<string, Tensor> {
  const entries = Object.entries(feeds.arrays).map(([name, array]) => [name, toTensor(array, precision)]);
  const { data, shape } = feeds.mask;
  const mask =
    precision === 'f32'
      ? new Tensor('float32', data, shape)
      : new Tensor('float64', Float64Array.from(data), shape);
  return { ...Object.fromEntries(entries), mask };
}

function toTensor({ data, shape }: FeedArray, precision: Precision): Tensor {
  if (data instanceof Int32Array) return new Tensor('int32', data, shape);
  return precision === 'f32'
    ? new Tensor('float32', Float32Array.from(data), shape)
    : new Tensor('float64', data, shape);
}

/** An output's elements. Throws where the session gave none of that name. */
export function outputData(
  outputs: InferenceSession.OnnxValueMapType,
  name: string,
): Float32Array | Float64Array {
  const data = outputs[name]?.data;
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  throw new TypeError(`the training graph gave no real output ${name}`);
}
