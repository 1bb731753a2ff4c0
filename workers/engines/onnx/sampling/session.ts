import { InferenceSession } from 'onnxruntime-node';

/**
 * Opens an inference graph on one thread. Threads that spin while they wait would take the core from the other
 * children; denormals would slow single steps many times over.
 */
export function openSession(model: Uint8Array): Promise<InferenceSession> {
  return InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' }, set_denormal_as_zero: '1' } },
  });
}

/** The f32 values of an output; throws where the graph has no such output of that type. */
export function floatOutput(outputs: InferenceSession.OnnxValueMapType, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`graph output "${name}" is not a f32 tensor`);
  return data;
}
