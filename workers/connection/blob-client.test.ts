import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointFile } from '@/contract/checkpoint';
import type { ErrorBody, ErrorCode } from '@/contract/errors';
import { BlobClient } from './blob-client';

const WEIGHTS = Buffer.from('weights');
const file: CheckpointFile = {
  path: 'model.safetensors',
  sha256: createHash('sha256').update(WEIGHTS).digest('hex'),
  size: WEIGHTS.length,
};
const never = new AbortController().signal;

let dir: string;
let server: Server;
let answer: { announcedBytes: number; bytes: Buffer };
/** Answered to whatever is asked; null = the answers above. */
let refusal: { status: number; body: ErrorBody } | null;
/** `Content-Range` of each part that was sent. */
let parts: string[];
beforeEach(async () => {
  parts = [];
  refusal = null;
  dir = mkdtempSync(join(tmpdir(), 'stepscope-blob-client-'));
  server = createServer((request, response) => {
    if (refusal) {
      response.writeHead(refusal.status).end(JSON.stringify(refusal.body));
      return;
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'Upload-Offset': WEIGHTS.length, 'Upload-Complete': 'false' }).end();
      return;
    }
    if (request.method === 'PUT') {
      parts.push(request.headers['content-range'] ?? '');
      response.end(JSON.stringify({ storedBytes: WEIGHTS.length, complete: true }));
      return;
    }
    response.writeHead(200, { 'Content-Length': answer.announcedBytes });
    response.write(answer.bytes);
    if (answer.bytes.length < answer.announcedBytes) setImmediate(() => response.destroy());
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true });
});

function client(): BlobClient {
  const { port } = server.address() as AddressInfo;
  return new BlobClient(`http://127.0.0.1:${port}`, 'token');
}

function fetchTo(path: string): Promise<void> {
  return client().fetch(file, path, never);
}

describe('a blob that is fetched', () => {
  it('has its name once its bytes hash to what was asked for', async () => {
    answer = { announcedBytes: WEIGHTS.length, bytes: WEIGHTS };
    await fetchTo(join(dir, file.path));
    expect(readFileSync(join(dir, file.path))).toEqual(WEIGHTS);
    expect(readdirSync(dir)).toEqual([file.path]);
  });

  it('and broke off may be asked for again', async () => {
    answer = { announcedBytes: WEIGHTS.length, bytes: WEIGHTS.subarray(0, 3) };
    await expect(fetchTo(join(dir, file.path))).rejects.toMatchObject({ code: 'unavailable' });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('and came whole with other bytes is damaged, which no further try changes', async () => {
    answer = { announcedBytes: 3, bytes: WEIGHTS.subarray(0, 3) };
    await expect(fetchTo(join(dir, file.path))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(
        `model.safetensors is damaged on the server: blob ${file.sha256}`,
      ) as string,
    });
    expect(existsSync(join(dir, file.path))).toBe(false);
  });
});

describe('a blob that is refused', () => {
  const refuse = (status: number, code: ErrorCode, message: string) => {
    refusal = { status, body: { error: { code, message, issues: [] } } };
    return fetchTo(join(dir, file.path));
  };

  it('is named once, whether or not the server names it', async () => {
    const named = `blob ${file.sha256} is not stored`;
    await expect(refuse(404, 'not_found', named)).rejects.toMatchObject({
      code: 'not_found',
      message: named,
    });
    await expect(refuse(401, 'unauthorized', 'a worker token is needed')).rejects.toThrow(
      `blob ${file.sha256}: a worker token is needed`,
    );
  });
});

describe('a blob that is put', () => {
  it('is settled by a part where the server has all of it and has not verified it', async () => {
    await client().putBytes(file.sha256, WEIGHTS, never);
    expect(parts).toEqual(['bytes 0-6/7']);
  });
});
