import { describe, expect, it } from 'vitest';
import { detectCudaProvider } from './cuda-provider';

describe("onnxruntime's CUDA provider", () => {
  it('is found out by computing with it, and says why where it cannot', async () => {
    const { available, reason } = await detectCudaProvider();
    if (available) expect(reason).toBeNull();
    else expect(reason).toMatch(/\S/);
    // A process that died would be no answer of the provider's.
    expect(reason ?? '').not.toContain('the process that tried it');
  });

  it('that does not answer in time is not available', async () => {
    expect(await detectCudaProvider(1)).toMatchObject({
      available: false,
      reason: expect.stringContaining('was ended by SIGKILL') as string,
    });
  });
});
