import { describe, expect, it } from 'vitest';
import { parseGpus } from '../gpu/nvidia-smi';
import { fillArguments } from './argv';

const gpus = parseGpus('0, Tesla T4, 1, 1, 1, 7.5, 535, [N/A]\n1, Tesla T4, 1, 1, 1, 7.5, 535, [N/A]\n');

describe('the arguments of an engine command', () => {
  it('are told the type and the number of cards, and keep the braces of JSON', () => {
    expect(
      fillArguments(['serve', '--dtype={dtype}', '{"rank":32,"gpus":{gpus},"more":{}}'], {
        gpus,
        dtype: 'float16',
      }),
    ).toEqual(['serve', '--dtype=float16', '{"rank":32,"gpus":2,"more":{}}']);
  });

  it('with another word in braces are refused by it', () => {
    expect(() => fillArguments(['{model}'], { gpus: [], dtype: 'float32' })).toThrow(
      'STEPSCOPE_ENGINE_COMMAND has {model}, expected one of {dtype}, {gpus}',
    );
  });
});
