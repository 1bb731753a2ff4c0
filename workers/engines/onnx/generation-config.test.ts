import { describe, expect, it } from 'vitest';
import { readStopTokens } from './generation-config';

const read = (text: string) => readStopTokens('model', { 'generation_config.json': text });

describe('stop tokens', () => {
  it('are the one id or the list that generation_config.json states', () => {
    expect(read('{"eos_token_id": 7, "do_sample": true}')).toEqual([7]);
    expect(read('{"eos_token_id": [7, 9]}')).toEqual([7, 9]);
  });

  it.each([
    '{}',
    '{"eos_token_id": null}',
    '{"eos_token_id": []}',
    '{"eos_token_id": -1}',
    '{"eos_token_id": "7"}',
  ])('are not guessed from %s', (text) =>
    expect(() => read(text)).toThrow('model/generation_config.json: eos_token_id must be'),
  );

  it('are missing where the file is', () => {
    expect(() => readStopTokens('model', {})).toThrow('model/generation_config.json: not found');
  });
});
