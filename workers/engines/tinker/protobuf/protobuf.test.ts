import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outsideDataDir } from '../../../env';
import {
  decodeForwardBackwardAnswer,
  decodeForwardBackwardRequest,
  encodeForwardBackwardAnswer,
  encodeForwardBackwardRequest,
} from './forward-backward';
import { readFields } from './reader';
import { decodeSampleAnswer, encodeSampleAnswer } from './sample';
import { DTYPE, readElements } from './tensors';

const transcript = join(outsideDataDir(), 'tinker', 'skyrl-transcript.log');

describe('a forward-backward request', () => {
  it('is the bytes that the format prescribes', () => {
    const bytes = encodeForwardBackwardRequest(
      {
        model_id: 'm',
        seq_id: 3,
        forward_backward_input: {
          data: [
            {
              model_input: { chunks: [{ type: 'encoded_text', tokens: [1, 258] }] },
              loss_fn_inputs: { weights: { data: [0, 0.5], dtype: 'float32', shape: [2] } },
            },
          ],
          loss_fn: 'ppo',
          loss_fn_config: { clip_low_threshold: 0.8 },
        },
      },
      { forwardOnly: true },
    );
    const expected = [
      // model_id = "m", seq_id = 3
      '0a016d1003',
      // data, 41 bytes: model_input { encoded_text { tokens = int32 1, 258 } }
      '1a29' + '0a0c' + '0a0a' + '0a08' + '01000000' + '02010000',
      // loss_fn_inputs, 25 bytes: "weights" -> Tensor { dense = f32 0, 0.5; dtype = 1; shape = 2 }
      '1219' + '0a0777656967687473' + '120e' + '0a08000000000000003f' + '1801' + '2002',
      // loss_fn = "ppo"
      '220370706f',
      // loss_fn_config: "clip_low_threshold" -> double 0.8
      '2a1d' + '0a12636c69705f6c6f775f7468726573686f6c64' + '119a9999999999e93f',
      // forward_only
      '3001',
    ].join('');
    expect(Buffer.from(bytes).toString('hex')).toBe(expected);
  });

  it('reads back as it was written', () => {
    const request = {
      model_id: 'model_1',
      seq_id: 70_000,
      forward_backward_input: {
        data: [1, 2].map((shift) => ({
          model_input: { chunks: [{ type: 'encoded_text' as const, tokens: [shift, 151_643] }] },
          loss_fn_inputs: {
            target_tokens: { data: [151_643, 0], dtype: 'int64' as const },
            logprobs: { data: [-0.25, null], dtype: 'float32' as const },
          },
        })),
        loss_fn: 'cross_entropy',
        loss_fn_config: null,
      },
    };
    expect(decodeForwardBackwardRequest(encodeForwardBackwardRequest(request))).toEqual({
      request,
      forwardOnly: false,
    });
  });

  it('that is cut off anywhere is refused, or is a shorter one', () => {
    const request = {
      model_id: 'm',
      seq_id: 1,
      forward_backward_input: {
        data: [
          { model_input: { chunks: [{ type: 'encoded_text' as const, tokens: [1] }] }, loss_fn_inputs: {} },
        ],
        loss_fn: 'ppo',
      },
    };
    const bytes = encodeForwardBackwardRequest(request);
    let refused = 0;
    for (let length = 0; length < bytes.length; length++) {
      try {
        decodeForwardBackwardRequest(bytes.subarray(0, length));
      } catch (error) {
        expect(String(error)).toMatch(/damaged|bytes/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(bytes.length / 2);
  });
});

it('a field of negative length is refused, for reading would go back and never end', () => {
  const lengthOfMinus11 = [0xf5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
  expect(() => [...readFields(Uint8Array.of(0x0a, ...lengthOfMinus11))]).toThrow(
    'a negative length at byte 11',
  );
});

describe('a forward-backward answer', () => {
  it('keeps ragged data apart, undefined elements and metrics', () => {
    const answer = {
      loss_fn_output_type: 'ArrayRecord',
      loss_fn_outputs: [
        { logprobs: { data: [-1.5, null], dtype: 'float32' as const } },
        { logprobs: { data: [-0.25], dtype: 'float32' as const } },
      ],
      metrics: { 'loss:sum': 0.1 },
    };
    expect(decodeForwardBackwardAnswer(encodeForwardBackwardAnswer(answer))).toEqual(answer);
  });

  it('of bfloat16 and int32 is widened', () => {
    expect(readElements(Uint8Array.of(0x80, 0x3f, 0x00, 0xc0), DTYPE.BFLOAT16).data).toEqual([1, -2]);
    expect(readElements(Uint8Array.of(0xff, 0xff, 0xff, 0xff), DTYPE.INT32)).toEqual({
      data: [-1],
      dtype: 'int64',
    });
  });
});

describe('a sample answer', () => {
  it('reads back as it was written', () => {
    const answer = {
      sequences: [
        { stop_reason: 'stop' as const, tokens: [5, 6], logprobs: [-0.5, -1] },
        { stop_reason: 'length' as const, tokens: [7], logprobs: [-2] },
      ],
      prompt_logprobs: [null, -0.125],
      prompt_cache_hit_tokens: 12,
    };
    expect(decodeSampleAnswer(encodeSampleAnswer(answer))).toEqual(answer);
  });

  it.skipIf(!existsSync(transcript))('of a real server begins with the tokens that it gave as JSON', () => {
    const lines = readFileSync(transcript, 'utf8').split('\n');
    const recorded = /^proto 200 application\/x-protobuf \d+ ([0-9a-f]+)$/.exec(
      lines.find((line) => line.startsWith('proto ')) ?? '',
    )?.[1];
    const [, json] =
      /"tokens":\[([\d,]+)\]/.exec(lines.find((line) => line.startsWith('## asample ')) ?? '') ?? [];
    const bytes = Buffer.from(recorded ?? '', 'hex');
    // The recording ends within the sixth token: sequences = 1 of 54 bytes, stop_reason = LENGTH, tokens = 2 of 24 bytes.
    const whole = Buffer.concat([bytes.subarray(2), Buffer.alloc(28)]).subarray(0, 28);
    const [reason, tokens] = readFields(whole);
    expect(bytes.subarray(0, 2).toString('hex')).toBe('0a36');
    expect(reason).toEqual({ number: 1, kind: 'varint', value: 1 });
    expect(tokens?.kind).toBe('bytes');
    const read = readElements(tokens?.kind === 'bytes' ? tokens.bytes : new Uint8Array(), DTYPE.INT32).data;
    expect(read.slice(0, 5)).toEqual(json?.split(',').map(Number).slice(0, 5));
  });
});
