/** Tensors of the protobuf form: little-endian bytes and a type; JSON's `null` is NaN here. */
import { AppError } from '@/contract/errors';
import type { TensorData } from '../wire';

/** The numbers of `DType`. */
export const DTYPE = { FLOAT32: 1, INT64: 2, INT32: 3, BFLOAT16: 4 } as const;

const ELEMENT_BYTES: Readonly<Record<number, number>> = {
  [DTYPE.FLOAT32]: 4,
  [DTYPE.INT64]: 8,
  [DTYPE.INT32]: 4,
  [DTYPE.BFLOAT16]: 2,
};

export function int32Bytes(values: readonly number[]): Uint8Array {
  return packed(values, 4, (view, at, value) => view.setInt32(at, value, true));
}

export function int64Bytes(values: readonly number[]): Uint8Array {
  return packed(values, 8, (view, at, value) => view.setBigInt64(at, BigInt(value), true));
}

export function float32Bytes(values: readonly (number | null)[]): Uint8Array {
  return packed(values, 4, (view, at, value) => view.setFloat32(at, value ?? NaN, true));
}

export function tensorBytes({ data, dtype }: TensorData): { dtype: number; bytes: Uint8Array } {
  return dtype === 'int64'
    ? { dtype: DTYPE.INT64, bytes: int64Bytes(data.map((value) => value ?? 0)) }
    : { dtype: DTYPE.FLOAT32, bytes: float32Bytes(data) };
}

/** Elements of a tensor's bytes; throws `invalid_input` for a type or a length there is not. */
export function readElements(bytes: Uint8Array, dtype: number): TensorData {
  const size = ELEMENT_BYTES[dtype];
  if (size === undefined || bytes.length % size !== 0)
    throw new AppError('invalid_input', `a tensor of type ${dtype} has ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const data = Array.from({ length: bytes.length / size }, (_, index) =>
    readElement(view, index * size, dtype),
  );
  const isWhole = dtype === DTYPE.INT64 || dtype === DTYPE.INT32;
  return {
    data: data.map((value) => (Number.isNaN(value) ? null : value)),
    dtype: isWhole ? 'int64' : 'float32',
  };
}

function readElement(view: DataView, at: number, dtype: number): number {
  switch (dtype) {
    case DTYPE.INT64:
      return Number(view.getBigInt64(at, true));
    case DTYPE.INT32:
      return view.getInt32(at, true);
    case DTYPE.BFLOAT16:
      return bfloat16(view.getUint16(at, true));
    default:
      return view.getFloat32(at, true);
  }
}

/** A bfloat16 is the upper half of a float32. */
function bfloat16(bits: number): number {
  return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] ?? NaN;
}

function packed<Value>(
  values: readonly Value[],
  size: number,
  write: (view: DataView, at: number, value: Value) => void,
): Uint8Array {
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => write(view, index * size, value));
  return bytes;
}
