import { AppError } from '@/contract/errors';
import { ProtobufWriter } from '../../onnx/graph/protobuf';
import type { ForwardBackwardAnswer, ForwardBackwardRequest, TensorData, WireDatum } from '../wire';
import { bytesOf, doubleOf, integerOf, readFields, textOf, type WireField } from './reader';
import { DTYPE, int32Bytes, int64Bytes, readElements, tensorBytes } from './tensors';

/**
 * `ForwardBackwardRequest`: model_id = 1, seq_id = 2, data = 3, loss_fn = 4, loss_fn_config = 5 (map), forward_only = 6.
 * Datum: model_input = 1 (Chunk: encoded_text = 1, whose tokens = 1 are int32), loss_fn_inputs = 2 (map).
 */
export function encodeForwardBackwardRequest(
  request: ForwardBackwardRequest,
  { forwardOnly = false } = {},
): Uint8Array<ArrayBuffer> {
  const { data, loss_fn: lossFn, loss_fn_config: config } = request.forward_backward_input;
  const message = new ProtobufWriter().string(1, request.model_id).integer(2, request.seq_id ?? 0);
  for (const datum of data) message.message(3, datumMessage(datum));
  message.string(4, lossFn);
  for (const [name, value] of Object.entries(config ?? {}))
    message.message(5, new ProtobufWriter().string(1, name).double(2, value));
  if (forwardOnly) message.integer(6, 1);
  return new Uint8Array(message.finish());
}

function datumMessage({ model_input: input, loss_fn_inputs: tensors }: WireDatum): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const { tokens } of input.chunks)
    message.message(1, new ProtobufWriter().message(1, new ProtobufWriter().bytes(1, int32Bytes(tokens))));
  for (const [name, tensor] of Object.entries(tensors))
    message.message(2, new ProtobufWriter().string(1, name).message(2, tensorMessage(tensor)));
  return message;
}

/** `Tensor`: dense = 1, dtype = 3, shape = 4. */
function tensorMessage(tensor: TensorData): ProtobufWriter {
  const { dtype, bytes } = tensorBytes(tensor);
  const message = new ProtobufWriter().bytes(1, bytes).integer(3, dtype);
  for (const size of tensor.shape ?? [tensor.data.length]) message.integer(4, size);
  return message;
}

export function decodeForwardBackwardRequest(bytes: Uint8Array): {
  request: ForwardBackwardRequest;
  forwardOnly: boolean;
} {
  const fields = [...readFields(bytes)];
  const config = bytesOf(fields, 5).map((entry) => {
    const pair = [...readFields(entry)];
    return [textOf(pair, 1), doubleOf(pair, 2)] as const;
  });
  return {
    request: {
      model_id: textOf(fields, 1),
      seq_id: integerOf(fields, 2),
      forward_backward_input: {
        data: bytesOf(fields, 3).map((datum) => decodeDatum([...readFields(datum)])),
        loss_fn: textOf(fields, 4),
        loss_fn_config: config.length ? Object.fromEntries(config) : null,
      },
    },
    forwardOnly: integerOf(fields, 6) !== 0,
  };
}

function decodeDatum(fields: readonly WireField[]): WireDatum {
  const chunks = bytesOf(fields, 1).map((chunk) => {
    const text = bytesOf([...readFields(chunk)], 1).at(-1);
    if (!text)
      throw new AppError(
        'invalid_input',
        'a chunk of model_input is no encoded_text: this server reads text',
      );
    const tokens = bytesOf([...readFields(text)], 1).at(-1) ?? new Uint8Array();
    return {
      type: 'encoded_text' as const,
      tokens: readElements(tokens, DTYPE.INT32).data.map((token) => token ?? 0),
    };
  });
  const tensors = bytesOf(fields, 2).map((entry) => {
    const pair = [...readFields(entry)];
    const tensor = [...readFields(bytesOf(pair, 2).at(-1) ?? new Uint8Array())];
    const dense = bytesOf(tensor, 1).at(-1);
    if (!dense && bytesOf(tensor, 2).length > 0)
      throw new AppError(
        'invalid_input',
        `loss_fn_inputs.${textOf(pair, 1)} is sparse: this server reads dense ones`,
      );
    return [
      textOf(pair, 1),
      readElements(dense ?? new Uint8Array(), integerOf(tensor, 3) || DTYPE.FLOAT32),
    ] as const;
  });
  return { model_input: { chunks }, loss_fn_inputs: Object.fromEntries(tensors) };
}

/**
 * `ForwardBackwardOutput`: loss_fn_output_type = 1, loss_fn_outputs = 2 (ArrayRecord: fields = 2 (map), num_datums = 3),
 * metrics = 3 (map). BatchedTensor: data = 1, offsets = 2 (n + 1 byte offsets as int64), dtype = 3.
 */
export function encodeForwardBackwardAnswer(answer: ForwardBackwardAnswer): Uint8Array {
  const { loss_fn_outputs: outputs, metrics } = answer;
  const record = new ProtobufWriter();
  for (const name of new Set(outputs.flatMap((output) => Object.keys(output)))) {
    const tensors = outputs.map((output) => tensorBytes(output[name] ?? { data: [] }));
    const offsets = [0];
    for (const { bytes } of tensors) offsets.push((offsets.at(-1) ?? 0) + bytes.length);
    const batched = new ProtobufWriter()
      .bytes(1, Buffer.concat(tensors.map(({ bytes }) => bytes)))
      .bytes(2, int64Bytes(offsets))
      .integer(3, tensors[0]?.dtype ?? DTYPE.FLOAT32);
    record.message(2, new ProtobufWriter().string(1, name).message(2, batched));
  }
  record.integer(3, outputs.length);
  const message = new ProtobufWriter().string(1, answer.loss_fn_output_type).message(2, record);
  for (const [name, value] of Object.entries(metrics))
    message.message(3, new ProtobufWriter().string(1, name).double(2, value));
  return message.finish();
}

export function decodeForwardBackwardAnswer(bytes: Uint8Array): ForwardBackwardAnswer {
  const fields = [...readFields(bytes)];
  const metrics = bytesOf(fields, 3).map((entry) => {
    const pair = [...readFields(entry)];
    return [textOf(pair, 1), doubleOf(pair, 2)] as const;
  });
  return {
    loss_fn_output_type: textOf(fields, 1),
    loss_fn_outputs: bytesOf(fields, 2).flatMap((record) => decodeRecord([...readFields(record)])),
    metrics: Object.fromEntries(metrics),
  };
}

/** One record's data: each field's bytes are cut at its offsets. */
function decodeRecord(fields: readonly WireField[]): Record<string, TensorData>[] {
  const outputs = Array.from({ length: integerOf(fields, 3) }, (): Record<string, TensorData> => ({}));
  for (const entry of bytesOf(fields, 2)) {
    const pair = [...readFields(entry)];
    const batched = [...readFields(bytesOf(pair, 2).at(-1) ?? new Uint8Array())];
    const data = bytesOf(batched, 1).at(-1) ?? new Uint8Array();
    const offsets = readElements(bytesOf(batched, 2).at(-1) ?? new Uint8Array(), DTYPE.INT64).data;
    for (let index = 0; index + 1 < offsets.length; index++) {
      const output = (outputs[index] ??= {});
      const part = data.subarray(offsets[index] ?? 0, offsets[index + 1] ?? 0);
      output[textOf(pair, 1)] = readElements(part, integerOf(batched, 3));
    }
  }
  return outputs;
}
