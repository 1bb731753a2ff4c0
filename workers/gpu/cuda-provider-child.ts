/** Entry of a process that computes one product with onnxruntime's CUDA provider and writes a `ProviderReport`. */
import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import { clipWords, type ProviderReport } from '@/contract/worker-report';
import { encodeModel } from '../engines/onnx/graph/encode';

const MATRIX = Float32Array.of(1, 2, 3, 4);
const SQUARE = [7, 10, 15, 22];

async function tryCuda(): Promise<ProviderReport> {
  if (!listSupportedBackends().some(({ name }) => name === 'cuda'))
    return { available: false, reason: 'onnxruntime-node has no CUDA provider for this platform' };
  try {
    const session = await InferenceSession.create(product(), {
      executionProviders: ['cuda'],
      logSeverityLevel: 4,
    });
    const { y } = await session.run({ x: new Tensor('float32', MATRIX, [2, 2]) });
    const values = [...((y?.data ?? []) as Float32Array)];
    return SQUARE.every((value, index) => values[index] === value)
      ? { available: true, reason: null }
      : { available: false, reason: `it computed ${values.join(', ')}, expected ${SQUARE.join(', ')}` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { available: false, reason: clipWords(message.replace(/\s+/g, ' ')) };
  }
}

function product(): Uint8Array {
  const shape = [2, 2];
  return encodeModel({
    nodes: [{ operator: 'MatMul', inputs: ['x', 'x'], outputs: ['y'] }],
    initializers: [],
    inputs: [{ name: 'x', type: 'f32', shape }],
    outputs: [{ name: 'y', type: 'f32', shape }],
  });
}

console.log(JSON.stringify(await tryCuda()));
