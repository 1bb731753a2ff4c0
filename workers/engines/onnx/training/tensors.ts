/** What goes into a training session and comes out of it, as tensors. */
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { Precision } from '../graph/tape';
import type { FeedArray } from './loss-feeds';
import type { MicroBatchFeeds } from './micro-batch';

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
