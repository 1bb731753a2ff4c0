/** Writer of the protobuf wire format: https://protobuf.dev/programming-guides/encoding. */

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

const utf8 = new TextEncoder();

/** One message under construction; `finish` returns its bytes. Fields are written in call order. */
export class ProtobufWriter {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  /** An int32, int64 or enum field. `value` is a safe integer; a negative one takes ten bytes, as the format asks. */
  integer(field: number, value: number): this {
    return this.tag(field, VARINT).varint(value);
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.tag(field, FIXED32).append(bytes);
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.tag(field, FIXED64).append(bytes);
  }

  string(field: number, value: string): this {
    return this.bytes(field, utf8.encode(value));
  }

  /** A bytes field; `value` is kept by reference until `finish`. */
  bytes(field: number, value: Uint8Array): this {
    return this.tag(field, LENGTH_DELIMITED).varint(value.length).append(value);
  }

  message(field: number, value: ProtobufWriter): this {
    this.tag(field, LENGTH_DELIMITED).varint(value.length);
    for (const chunk of value.chunks) this.append(chunk);
    return this;
  }

  finish(): Uint8Array {
    const result = new Uint8Array(this.length);
    let offset = 0;
    for (const chunk of this.chunks) {
      result.set(chunk, offset);
      offset += chunk.length;
    }
    return result;
  }

  private tag(field: number, wireType: number): this {
    return this.varint(field * 8 + wireType);
  }

  private varint(value: number): this {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    return this.append(Uint8Array.from(bytes));
  }

  private append(bytes: Uint8Array): this {
    this.chunks.push(bytes);
    this.length += bytes.length;
    return this;
  }
}
