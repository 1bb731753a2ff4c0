import { describe, expect, it } from 'vitest';
import { createEngine, offeredDevices } from './engine';

describe('an engine', () => {
  it('of a kind this worker lacks is refused by name', async () => {
    const spec = {
      kind: 'tinker',
      model: 'Qwen/Qwen2.5-1.5B-Instruct',
      children: 1,
      microBatchTokens: 2048,
    } as const;
    await expect(createEngine(spec)).rejects.toThrow('engine.kind is "tinker", this worker has: onnx');
  });

  it('is looked for in the repository, and its absence names the folder', async () => {
    const spec = { kind: 'onnx', model: 'models/absent', children: 1, microBatchTokens: 2048 } as const;
    await expect(createEngine(spec)).rejects.toThrow('/models/absent/config.json: not found');
  });
});

describe('devices', () => {
  const usable = { available: true, reason: null };

  it('have a card where its provider can be used and the environment has it used', () => {
    expect(offeredDevices(usable, 'cuda')).toEqual(['cpu', 'cuda']);
    expect(offeredDevices(usable, 'auto')).toEqual(['cpu', 'cuda']);
  });

  it('are the processor alone where the embedded engine stays on it, or no card can be used', () => {
    expect(offeredDevices(usable, 'cpu')).toEqual(['cpu']);
    expect(offeredDevices({ available: false, reason: 'no libcudnn' }, 'auto')).toEqual(['cpu']);
    expect(offeredDevices(undefined, 'cuda')).toEqual(['cpu']);
  });
});
