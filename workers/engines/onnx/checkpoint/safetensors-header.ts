import { z } from 'zod';
import { AppError } from '@/contract/errors';

/** Where a tensor's bytes lie; `begin` counts from the start of the data section. */
export interface TensorEntry {
  dtype: string;
  shape: number[];
  begin: number;
  bytes: number;
}

/** Bytes an element, for every dtype of the format that a checkpoint may hold beside its weights. */
const ELEMENT_BYTES: Record<string, number> = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  I16: 2,
  U16: 2,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  F32: 4,
  F64: 8,
  I64: 8,
  U64: 8,
};

const count = z.number().int().nonnegative();
const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(count),
  data_offsets: z.tuple([count, count]),
});
const metadataSchema = z.record(z.string(), z.string());

/**
 * Parses and checks a safetensors header. `dataBytes` is the length of the data section, which the tensors must fill
 * exactly, without overlap and without gap, as the format demands. Throws `invalid_input` naming file, tensor and offset.
 */
export function parseHeader(
  path: string,
  text: string,
  dataBytes: number,
): { entries: Map<string, TensorEntry>; metadata: Record<string, string> } {
  const fail = (message: string): never => {
    throw new AppError('invalid_input', `${path}: ${message}`);
  };
  const { __metadata__: rawMetadata, ...tensors } = parseObject(text, fail);
  const metadata = metadataSchema.safeParse(rawMetadata ?? {});
  if (!metadata.success) return fail('__metadata__ is not a map of strings');

  const entries = new Map<string, TensorEntry>();
  for (const [name, value] of Object.entries(tensors))
    entries.set(name, parseEntry(name, value, dataBytes, fail));

  let end = 0;
  const byOffset = [...entries].sort(([, a], [, b]) => a.begin - b.begin || a.bytes - b.bytes);
  for (const [name, entry] of byOffset) {
    if (entry.begin < end)
      fail(`tensor "${name}" at offset ${entry.begin} overlaps the one before it, which ends at ${end}`);
    if (entry.begin > end) fail(`tensor "${name}" at offset ${entry.begin} leaves a gap after offset ${end}`);
    end = entry.begin + entry.bytes;
  }
  if (end !== dataBytes) fail(`tensors end at offset ${end}, the data section at ${dataBytes}`);
  return { entries, metadata: metadata.data };
}

type Fail = (message: string) => never;

function parseObject(text: string, fail: Fail): Record<string, unknown> {
  // A leading brace is demanded by the format, so that no other kind of file passes by accident.
  if (!text.startsWith('{')) return fail('header does not start with "{"');
  try {
    // JSON that starts with a brace is an object, or does not parse.
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    return fail(`header is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseEntry(name: string, value: unknown, dataBytes: number, fail: Fail): TensorEntry {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(`tensor "${name}": ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'malformed'}`);
  }
  const { dtype, shape, data_offsets: offsets } = parsed.data;
  const [begin, end] = offsets;
  const elementBytes = ELEMENT_BYTES[dtype];
  if (elementBytes === undefined) return fail(`tensor "${name}" has unknown dtype "${dtype}"`);
  if (begin > end || end > dataBytes)
    fail(`tensor "${name}" has offsets [${begin}, ${end}], outside the ${dataBytes} bytes of data`);
  const bytes = shape.reduce((product, n) => product * n, elementBytes);
  if (bytes !== end - begin)
    fail(
      `tensor "${name}": ${dtype} [${shape.join(', ')}] is ${bytes} bytes, its offsets [${begin}, ${end}] hold ${end - begin}`,
    );
  return { dtype, shape, begin, bytes };
}
