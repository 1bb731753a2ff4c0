import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '@/contract/errors';
import { bfloat16ToFloat32, float16ToFloat32, float32ToBfloat16, float32ToFloat16 } from './half-precision';
import { parseHeader, type TensorEntry } from './safetensors-header';

/** A tensor to write; `dtype` is its type on disk. */
export interface TensorToWrite {
  name: string;
  shape: number[];
  values: Float32Array;
  dtype: WeightType;
}

/** Element types that weights are written in and read from, always as f32 in memory. */
export type WeightType = 'F32' | 'BF16' | 'F16';

const ENCODE: Readonly<Record<WeightType, (values: Float32Array) => Float32Array | Uint16Array>> = {
  F32: (values) => values,
  BF16: float32ToBfloat16,
  F16: float32ToFloat16,
};

const READABLE = Object.keys(ENCODE);

/** The reference implementation's own limit. */
const MAX_HEADER_BYTES = 100_000_000;

/**
 * One safetensors file, read tensor by tensor so that a checkpoint of any size fits. The header is checked whole at
 * opening: a file that opens has every tensor within its bounds and none overlapping.
 */
export class SafetensorsFile {
  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly entries: Map<string, TensorEntry>,
    /** The file's own string to string map, empty where it has none. */
    readonly metadata: Record<string, string>,
  ) {}

  /** Throws `not_found` for a missing file and `invalid_input`, naming tensor and offset, for a malformed one. */
  static async open(path: string): Promise<SafetensorsFile> {
    const handle = await open(path, 'r').catch((cause: unknown) => {
      throw new AppError('not_found', `${path}: cannot be opened`, [], { cause });
    });
    try {
      const { size } = await handle.stat();
      if (size < 8)
        throw new AppError(
          'invalid_input',
          `${path}: ${size} bytes, a safetensors file has at least 8 for its header size`,
        );
      const headerBytes = Number((await readBytes(handle, path, 0, 8)).readBigUInt64LE());
      if (headerBytes > MAX_HEADER_BYTES || headerBytes > size - 8)
        throw new AppError(
          'invalid_input',
          `${path}: header size ${headerBytes} exceeds ${Math.min(MAX_HEADER_BYTES, size - 8)} bytes`,
        );
      const text = (await readBytes(handle, path, 8, headerBytes)).toString('utf8');
      const { entries, metadata } = parseHeader(path, text, size - 8 - headerBytes);
      for (const entry of entries.values()) entry.begin += 8 + headerBytes;
      return new SafetensorsFile(path, handle, entries, metadata);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  /** Throws `invalid_input` unless the file has the tensor in this shape and in a dtype that can be read. */
  require(name: string, shape: readonly number[]): TensorEntry {
    const entry = this.entries.get(name);
    if (!entry) throw new AppError('invalid_input', `${this.path}: tensor "${name}" is missing`);
    if (entry.shape.join() !== shape.join())
      throw new AppError(
        'invalid_input',
        `${this.path}: tensor "${name}" has shape [${entry.shape.join(', ')}], expected [${shape.join(', ')}]`,
      );
    if (!READABLE.includes(entry.dtype))
      throw new AppError(
        'invalid_input',
        `${this.path}: tensor "${name}" has dtype ${entry.dtype}, supported are ${READABLE.join(', ')}`,
      );
    return entry;
  }

  /** The values of one tensor, row-major, widened to f32. Throws where name, shape or dtype is not as expected. */
  async read(name: string, shape: readonly number[]): Promise<Float32Array> {
    const entry = this.require(name, shape);
    const bytes = await readBytes(this.handle, this.path, entry.begin, entry.bytes);
    if (entry.dtype === 'F32') return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    return entry.dtype === 'BF16' ? bfloat16ToFloat32(halves) : float16ToFloat32(halves);
  }

  /** As `read`, and throws `invalid_input`, naming tensor, index and value, for the first NaN or infinity. */
  async readFinite(name: string, shape: readonly number[]): Promise<Float32Array> {
    const values = await this.read(name, shape);
    const found = firstNonFinite(values, shape);
    if (found !== null)
      throw new AppError(
        'invalid_input',
        `${this.path}: tensor "${name}" holds ${found}, expected finite numbers`,
      );
    return values;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** The first NaN or infinity of a row-major tensor with its index, "NaN at [3, 0]"; null where all are finite. */
export function firstNonFinite(values: Float32Array, shape: readonly number[]): string | null {
  for (let element = 0; element < values.length; element++) {
    if (Number.isFinite(values[element])) continue;
    let rest = element;
    const index = shape.toReversed().map((size) => {
      const position = rest % size;
      rest = (rest - position) / size;
      return position;
    });
    return `${values[element]} at [${index.reverse().join(', ')}]`;
  }
  return null;
}

/** Reads exactly `length` bytes at `offset` into memory of their own, aligned for any element type. */
async function readBytes(handle: FileHandle, path: string, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let filled = 0;
  while (filled < length) {
    // One read call is limited to 2 GiB by the platform.
    const want = Math.min(length - filled, 1 << 30);
    const { bytesRead } = await handle.read(bytes, filled, want, offset + filled);
    if (bytesRead === 0)
      throw new AppError(
        'invalid_input',
        `${path}: ends at byte ${offset + filled}, expected ${offset + length}`,
      );
    filled += bytesRead;
  }
  return bytes;
}

/** Writes a new file and syncs it to disk. Tensor data follow each other in the order given, without gaps. */
export async function writeSafetensors(
  path: string,
  tensors: readonly TensorToWrite[],
  metadata: Record<string, string> = {},
): Promise<void> {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const { name, shape, values, dtype } of tensors) {
    const elements = shape.reduce((product, n) => product * n, 1);
    if (elements !== values.length)
      throw new AppError(
        'internal',
        `${path}: tensor "${name}" has ${values.length} values, its shape [${shape.join(', ')}] has ${elements}`,
      );
    const end = offset + elements * (dtype === 'F32' ? 4 : 2);
    header[name] = { dtype, shape, data_offsets: [offset, end] };
    offset = end;
  }
  const json = Buffer.from(JSON.stringify(header));
  // Data start on an 8-byte boundary; the format allows trailing spaces in the header.
  const padding = Buffer.alloc((8 - (json.length % 8)) % 8, ' ');
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length + padding.length));
  const handle = await open(path, 'wx');
  try {
    await handle.writev([size, json, padding]);
    for (const { values, dtype } of tensors) {
      const data = ENCODE[dtype](values);
      await handle.writeFile(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
