import { describe, expect, it } from 'vitest';
import { OptimStepRequest, WireSampleRequest } from '../tinker/wire';
import { parseBody } from './api';

describe('a body that would spoil weights or replies', () => {
  it.each(['1e300', '1e999', '1.5', '-1'])('is refused with a learning rate of %s', (rate) => {
    const body: unknown = JSON.parse(`{"model_id": "m", "adam_params": {"learning_rate": ${rate}}}`);
    expect(() => parseBody(OptimStepRequest, body)).toThrow(
      expect.objectContaining({
        status: 422,
        detail: [expect.objectContaining({ loc: ['body', 'adam_params', 'learning_rate'] })],
      }),
    );
  });

  it('is refused with the -2 likeliest tokens; -1 is all of them, as the protocol has it', () => {
    const asking = (top_k: number) => ({ prompt: { chunks: [{ tokens: [1] }] }, sampling_params: { top_k } });
    expect(() => parseBody(WireSampleRequest, asking(-2))).toThrow(
      expect.objectContaining({
        status: 422,
        detail: [expect.objectContaining({ loc: ['body', 'sampling_params', 'top_k'] })],
      }),
    );
    expect(parseBody(WireSampleRequest, asking(-1)).sampling_params.top_k).toBe(-1);
  });
});
