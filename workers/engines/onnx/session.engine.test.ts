import { afterEach, describe, expect, it, vi } from 'vitest';
import { Tensor } from 'onnxruntime-node';
import { detectCudaProvider } from '../../gpu/cuda-provider';
import { encodeModel } from './graph/encode';
import { openSession } from './session';

const shape = [2];
const doubling = encodeModel({
  nodes: [{ operator: 'Add', inputs: ['x', 'x'], outputs: ['y'] }],
  initializers: [],
  inputs: [{ name: 'x', type: 'f32', shape }],
  outputs: [{ name: 'y', type: 'f32', shape }],
});

async function doubled(provider: string): Promise<unknown> {
  vi.stubEnv('STEPSCOPE_ONNX_PROVIDER', provider);
  const session = await openSession(doubling);
  const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 2), shape) });
  return y?.data;
}

afterEach(() => vi.unstubAllEnvs());

describe('the provider of a session', () => {
  it.each(['', 'cpu', 'auto'])('"%s" computes on any machine', async (provider) => {
    expect(await doubled(provider)).toEqual(Float32Array.of(2, 4));
  });

  it('cuda computes where it can be loaded, and says why where it cannot', async () => {
    const { available } = await detectCudaProvider();
    if (available) expect(await doubled('cuda')).toEqual(Float32Array.of(2, 4));
    else
      await expect(doubled('cuda')).rejects.toThrow(
        "STEPSCOPE_ONNX_PROVIDER is cuda, and onnxruntime's CUDA provider cannot be used:",
      );
  });

  it('of another name is refused', async () => {
    await expect(doubled('gpu')).rejects.toThrow(
      'STEPSCOPE_ONNX_PROVIDER is "gpu", expected one of cpu, cuda, auto',
    );
  });
});
