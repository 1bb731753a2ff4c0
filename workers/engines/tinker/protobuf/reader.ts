/** Reader of the protobuf wire format: https://protobuf.dev/programming-guides/encoding. */
import { AppError } from '@/contract/errors';

/** One field as it was sent: a varint as a number, everything else as its bytes. */
export type WireField = { number: number } & (
  { kind: 'varint'; value: number } | { kind: 'bytes'; bytes: Uint8Array }
);

const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Fields of a message in order. Throws `invalid_input` naming the byte where the message is damaged or cut off. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(cursor);
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === VARINT) {
      yield { number, kind: 'varint', value: readVarint(cursor) };
      continue;
    }
    const length = wireType === LENGTH_DELIMITED ? readVarint(cursor) : FIXED_BYTES[wireType];
    if (length === undefined) throw damaged(cursor.at, `wire type ${wireType}`);
    const value = bytes.subarray(cursor.at, cursor.at + length);
    if (length < 0) throw damaged(cursor.at, 'a negative length');
    if (value.length < length) throw damaged(bytes.length, 'the end');
    cursor.at += length;
    yield { number, kind: 'bytes', bytes: value };
  }
}

/** Bytes of every length-delimited field of that number. */
export function bytesOf(fields: readonly WireField[], number: number): Uint8Array[] {
  return fields.flatMap((field) => (field.number === number && field.kind === 'bytes' ? [field.bytes] : []));
}

/** The last value of a varint field; 0, proto3's default, where it is absent. */
export function integerOf(fields: readonly WireField[], number: number): number {
  return fields.reduce(
    (last, field) => (field.number === number && field.kind === 'varint' ? field.value : last),
    0,
  );
}

/** The last text of a field; empty where it is absent. */
export function textOf(fields: readonly WireField[], number: number): string {
  return new TextDecoder().decode(bytesOf(fields, number).at(-1));
}

/** The last double of a field; 0 where it is absent. */
export function doubleOf(fields: readonly WireField[], number: number): number {
  const bytes = bytesOf(fields, number).at(-1);
  if (!bytes) return 0;
  if (bytes.length !== 8)
    throw new AppError('invalid_input', `field ${number} has ${bytes.length} bytes, a double 8`);
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
}

interface Cursor {
  bytes: Uint8Array;
  at: number;
}

/** Up to 64 bits, as a signed number; beyond 2^53 it is rounded, and no field here is that large. */
function readVarint(cursor: Cursor): number {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw damaged(cursor.bytes.length, 'the end');
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return Number(BigInt.asIntN(64, value));
  }
  throw damaged(cursor.at, 'a number of more than ten bytes');
}

function damaged(at: number, what: string): AppError {
  return new AppError('invalid_input', `the protobuf message is damaged: ${what} at byte ${at}`);
}
