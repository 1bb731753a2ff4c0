/** What every onnxruntime session of the engine shares. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type ModelConfig, parameterInput, parameterSpecs } from './model/parameters';

/**
 * Opens a graph. Threads that spin while they wait would take the core from the other children; denormals would slow
 * single steps many times over; planning one block for all activations nearly doubles the peak and gains no time.
 */
export function openSession(model: Uint8Array, intraOpNumThreads = 1): Promise<InferenceSession> {
  return InferenceSession.create(model, {
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
