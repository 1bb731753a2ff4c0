/** What every onnxruntime session of the engine shares. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '@/contract/errors';
import { onnxProvider } from '../../env';
import { type ModelConfig, parameterInput, parameterSpecs } from './model/parameters';

/** Found out once: every session would ask the libraries anew. */
let isCudaMissing = false;

/**
 * Opens a graph on what `STEPSCOPE_ONNX_PROVIDER` names: the processor, a card, or a card where onnxruntime's CUDA provider
 * can be used and the processor where not. Throws `unavailable` where it names a card and none can be used.
 */
export async function openSession(model: Uint8Array, intraOpNumThreads = 1): Promise<InferenceSession> {
  const provider = onnxProvider();
  if (provider === 'cpu' || (provider === 'auto' && isCudaMissing))
    return createSession(model, intraOpNumThreads, 'cpu');
  try {
    return await createSession(model, intraOpNumThreads, 'cuda');
  } catch (error) {
    if (provider === 'auto') {
      isCudaMissing = true;
      return createSession(model, intraOpNumThreads, 'cpu');
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'unavailable',
      `STEPSCOPE_ONNX_PROVIDER is cuda, and onnxruntime's CUDA provider cannot be used: ${reason}`,
      [],
      { cause: error },
    );
  }
}

/**
 * Threads that spin while they wait would take the core from the other children; denormals would slow
 * single steps many times over; planning one block for all activations nearly doubles the peak and gains no time.
 */
function createSession(
  model: Uint8Array,
  intraOpNumThreads: number,
  provider: 'cpu' | 'cuda',
): Promise<InferenceSession> {
  return InferenceSession.create(model, {
    executionProviders: [provider],
    intraOpNumThreads,
    interOpNumThreads: 1,
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
      return [parameterInput(name), tensor];
    }),
  );
}

/** The f32 values of an output; throws where the graph has no such output of that type. */
export function floatOutput(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`graph output "${name}" is not a f32 tensor`);
  return data;
}
