import type { Context } from 'hono';
import { AppError } from '@/contract/errors';

/** Bytes of a JSON body. */
const MAX_JSON_BODY_BYTES = 1024 * 1024;

/**
 * The body as JSON. A page of another site can send forms and plain text without asking first, so a body that
 * does not call itself JSON is refused.
 */
export async function readJsonBody(context: Context): Promise<unknown> {
  const type = context.req.header('content-type') ?? '(none)';
  if (!/^application\/json\b/i.test(type))
    throw new AppError('invalid_input', `Content-Type is ${type}, expected application/json`);
  const text = await readBounded(context);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid_input', `the body is not JSON: ${describe(error, text)}`, [], {
      cause: error,
    });
  }
}

async function readBounded(context: Context): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > MAX_JSON_BODY_BYTES) {
      // The rest is not read, so the connection ends with the refusal.
      context.header('Connection', 'close');
      throw new AppError('too_large', `the body has more than ${MAX_JSON_BODY_BYTES} bytes`);
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** V8 leaves the position out of some messages; the reader of a long config needs it in all. */
function describe(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return /position \d+/.test(message) ? message : `${message} (position ${errorPosition(text)})`;
}

/** Index of the first character with which the text can no longer become JSON; its length where it only ends early. */
function errorPosition(text: string): number {
  let canBegin = 0;
  let cannotBegin = text.length + 1;
  while (cannotBegin - canBegin > 1) {
    const middle = (canBegin + cannotBegin) >> 1;
    if (beginsJson(text.slice(0, middle))) canBegin = middle;
    else cannotBegin = middle;
  }
  return canBegin;
}

function beginsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated/.test(message) || Number(position) === text.length;
  }
}
