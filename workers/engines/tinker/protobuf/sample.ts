import { AppError } from '@/contract/errors';
import { ProtobufWriter } from '../../onnx/graph/protobuf';
import type { SampleAnswer } from '../wire';
import { bytesOf, integerOf, readFields } from './reader';
import { DTYPE, float32Bytes, int32Bytes, readElements } from './tensors';

const STOP_REASONS = ['stop', 'length'] as const;

/**
 * `SampleResponse`: sequences = 1 (SampledSequence: stop_reason = 1, tokens = 2 as int32, logprobs = 3 as float32),
 * prompt_logprobs = 2, prompt_cache_hit_tokens = 4. Top-k log-probabilities are neither asked for nor written.
 */
export function encodeSampleAnswer(answer: SampleAnswer): Uint8Array {
  const message = new ProtobufWriter();
  for (const { stop_reason: reason, tokens, logprobs } of answer.sequences) {
    const sequence = new ProtobufWriter()
      .integer(1, STOP_REASONS.indexOf(reason))
      .bytes(2, int32Bytes(tokens));
    if (logprobs) sequence.bytes(3, float32Bytes(logprobs));
    message.message(1, sequence);
  }
  if (answer.prompt_logprobs) message.bytes(2, float32Bytes(answer.prompt_logprobs));
  if (answer.prompt_cache_hit_tokens) message.integer(4, answer.prompt_cache_hit_tokens);
  return message.finish();
}

export function decodeSampleAnswer(bytes: Uint8Array): SampleAnswer {
  const fields = [...readFields(bytes)];
  const promptLogprobs = bytesOf(fields, 2).at(-1);
  return {
    sequences: bytesOf(fields, 1).map((sequence) => decodeSequence(sequence)),
    prompt_logprobs: promptLogprobs ? readElements(promptLogprobs, DTYPE.FLOAT32).data : null,
    prompt_cache_hit_tokens: integerOf(fields, 4),
  };
}

function decodeSequence(bytes: Uint8Array): SampleAnswer['sequences'][number] {
  const fields = [...readFields(bytes)];
  const reason = STOP_REASONS[integerOf(fields, 1)];
  if (!reason) throw new AppError('invalid_input', `stop_reason is ${integerOf(fields, 1)}, expected 0 or 1`);
  const tokens = readElements(bytesOf(fields, 2).at(-1) ?? new Uint8Array(), DTYPE.INT32).data;
  const logprobs = bytesOf(fields, 3).at(-1);
  return {
    stop_reason: reason,
    tokens: tokens.map((token) => token ?? 0),
    logprobs: logprobs ? readElements(logprobs, DTYPE.FLOAT32).data : null,
  };
}
