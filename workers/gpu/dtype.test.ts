import { describe, expect, it } from 'vitest';
import type { GpuReport } from '@/contract/worker-report';
import { offerDtype } from './dtype';

const card = (index: number, name: string, computeCapability: string | null): GpuReport => ({
  index,
  name,
  memoryTotalMib: null,
  memoryUsedMib: null,
  utilizationPercent: null,
  computeCapability,
  driver: null,
  mig: false,
});

describe('the type that engines are offered', () => {
  it.each([
    ['Tesla P100', '6.0', 'float16'],
    ['Tesla T4', '7.5', 'float16'],
    ['NVIDIA A100', '8.0', 'bfloat16'],
    ['NVIDIA L4', '8.9', 'bfloat16'],
    ['NVIDIA H200', '9.0', 'bfloat16'],
    ['NVIDIA B200', '10.0', 'bfloat16'],
  ])('on a %s (%s) is %s', (name, capability, dtype) => {
    expect(offerDtype([card(0, name, capability)]).dtype).toBe(dtype);
  });

  it('is float32 without a card', () => {
    expect(offerDtype([])).toEqual({
      dtype: 'float32',
      reason: 'there is no GPU, and processors compute in it',
    });
  });

  it('is what the weakest of several cards computes in, which is named', () => {
    expect(offerDtype([card(0, 'NVIDIA A100', '8.0'), card(1, 'Tesla T4', '7.5')])).toEqual({
      dtype: 'float16',
      reason: 'GPU 1 (Tesla T4) has compute capability 7.5, and bfloat16 needs 8.0 (sm_80) or newer',
    });
  });

  it('is float16 where a card does not tell what it is', () => {
    expect(offerDtype([card(0, 'NVIDIA A100', '8.0'), card(1, 'unknown', null)])).toMatchObject({
      dtype: 'float16',
      reason: expect.stringContaining('GPU 1 (unknown) does not tell') as string,
    });
  });
});
