/** What onnxruntime reaches on this machine at its best: one large matrix product on two threads. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createRandom } from '@/rl/random';
import { encodeModel } from '@/workers/engines/onnx/graph/encode';

const SIZE = 2048;
const THREADS = 2;
const RUNS = 3;

export interface Ceiling {
  /** Floating-point operations a second, of `RUNS` products. */
  measure(): Promise<number>;
}

/** The product's largest element is all that leaves the session: copying the product out is no arithmetic. */
export async function openCeiling(): Promise<Ceiling> {
  const shape = [SIZE, SIZE];
  const model = encodeModel({
    nodes: [
      { operator: 'MatMul', inputs: ['left', 'right'], outputs: ['product'] },
      { operator: 'ReduceMax', inputs: ['product'], outputs: ['largest'], attributes: { keepdims: 0 } },
    ],
    initializers: [],
    inputs: [
      { name: 'left', type: 'f32', shape },
      { name: 'right', type: 'f32', shape },
    ],
    outputs: [{ name: 'largest', type: 'f32', shape: [] }],
  });
  const session = await InferenceSession.create(model, { intraOpNumThreads: THREADS });
  const random = createRandom(1);
  const matrix = () => {
    const elements = Float32Array.from({ length: SIZE * SIZE }, () => random.next() - 0.5);
    return new Tensor('float32', elements, shape);
  };
  const feeds = { left: matrix(), right: matrix() };
  await session.run(feeds);
  return {
    measure: async () => {
      const start = performance.now();
      for (let run = 0; run < RUNS; run++) await session.run(feeds);
      return (RUNS * 2 * SIZE ** 3) / ((performance.now() - start) / 1000);
    },
  };
}
