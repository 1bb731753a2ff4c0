import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { AppError } from '@/contract/errors';
import { checkToken } from '@/server/workers/registry';
import type { Database } from '../database';
import type { Runtime } from '../runtime';

/**
 * `/blobs/:sha256`. HEAD answers `Upload-Offset` (bytes stored) and `Upload-Complete`; PUT appends the bytes of
 * `Content-Range: bytes START-END/TOTAL`, or the whole where there is no such header; GET streams a whole one.
 */
export function blobRoutes({ database, blobs }: Runtime): Hono {
  const app = new Hono();

  app.get('/blobs/:sha256', async (context) => {
    const sha256 = context.req.param('sha256');
    // Hono answers HEAD by the GET route without its body.
    if (context.req.method === 'HEAD') {
      const state = await blobs.state(sha256);
      if (!state) throw new AppError('not_found', `nothing of blob ${sha256} is stored`);
      context.header('Upload-Offset', String(state.storedBytes));
      context.header('Upload-Complete', String(state.complete));
      return context.body(null, 200);
    }
    const { sizeBytes, stream } = await blobs.open(sha256);
    context.header('Content-Length', String(sizeBytes));
    context.header('Content-Type', 'application/octet-stream');
    context.header('Cache-Control', 'private, max-age=31536000, immutable');
    return context.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>);
  });

  app.put('/blobs/:sha256', async (context) => {
    await requireWorkerToken(database, context);
    const sha256 = context.req.param('sha256');
    const range = readRange(context);
    const body =
      context.req.raw.body ?? new ReadableStream<Uint8Array>({ start: (stream) => stream.close() });
    try {
      const state = await blobs.append(sha256, { ...range, body });
      return context.json({ sha256, ...state }, state.complete ? 201 : 202);
    } finally {
      await discard(body);
    }
  });

  return app;
}

/**
 * Reads what an answer did not need, such as a blob that was there already: bytes left in the connection would
 * break the sender's next request on it.
 */
async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  try {
    for await (const _chunk of body) continue;
  } catch {
    // The sender is gone, and so is the connection.
  }
}

async function requireWorkerToken(database: Database, context: Context): Promise<void> {
  // A stranger's body is not read, so the connection ends with the refusal.
  context.header('Connection', 'close');
  const token = /^Bearer (\S+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  if (token === undefined || !(await checkToken(database, token)))
    throw new AppError('unauthorized', 'a worker token is needed: Authorization: Bearer TOKEN');
  context.header('Connection', undefined);
}

/** Where the body's bytes belong, from `Content-Range` or, for a whole blob, `Content-Length`. */
function readRange(context: Context): { offset: number; totalBytes: number } {
  const length = Number(context.req.header('content-length') ?? Number.NaN);
  const header = context.req.header('content-range');
  if (header === undefined) {
    if (!Number.isSafeInteger(length))
      throw new AppError('invalid_input', 'Content-Length or Content-Range must say how long the blob is');
    return { offset: 0, totalBytes: length };
  }
  const [start, end, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(header) ?? []).slice(1).map(Number);
  if (start === undefined || end === undefined || total === undefined || start > end || end >= total)
    throw new AppError(
      'invalid_input',
      `Content-Range ${header} is not valid: expected bytes START-END/TOTAL with START <= END < TOTAL`,
    );
  if (Number.isSafeInteger(length) && length !== end - start + 1)
    throw new AppError(
      'invalid_input',
      `Content-Range ${header} announces ${end - start + 1} bytes, Content-Length ${length}`,
    );
  return { offset: start, totalBytes: total };
}
