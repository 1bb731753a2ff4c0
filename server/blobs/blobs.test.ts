import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { startTestServer } from '../testing/start-server';
import type { TestServer } from '../testing/start-server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Random bytes: every test has a blob of its own. */
function aBlob(size: number): { bytes: Buffer; sha256: string } {
  const bytes = randomBytes(size);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const urlOf = (sha256: string) => `${server.url}/api/v1/blobs/${sha256}`;

function put(sha256: string, bytes: Uint8Array, range?: string, token = server.workerToken) {
  return fetch(urlOf(sha256), {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, ...(range === undefined ? {} : { 'Content-Range': range }) },
    body: new Uint8Array(bytes),
  });
}

async function head(sha256: string) {
  const response = await fetch(urlOf(sha256), { method: 'HEAD' });
  if (response.status === 404) return null;
  return { offset: response.headers.get('upload-offset'), complete: response.headers.get('upload-complete') };
}

/** What a server leaves that is killed before it has verified a blob. */
async function leaveUnfinished(sha256: string, bytes: Buffer): Promise<void> {
  const folder = join(server.home, 'blobs', 'partial');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, sha256), bytes);
}

describe('a blob', () => {
  it('comes back as it was put', async () => {
    const { bytes, sha256 } = aBlob(300_000);
    expect(await head(sha256)).toBeNull();
    expect((await put(sha256, bytes)).status).toBe(201);
    expect(await head(sha256)).toEqual({ offset: '300000', complete: 'true' });
    const got = await fetch(urlOf(sha256));
    expect(got.headers.get('content-length')).toBe('300000');
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('may be empty', async () => {
    const { bytes, sha256 } = aBlob(0);
    expect((await put(sha256, bytes)).status).toBe(201);
    expect(await head(sha256)).toEqual({ offset: '0', complete: 'true' });
  });

  it('may be put again, which changes nothing', async () => {
    const { bytes, sha256 } = aBlob(1000);
    expect((await put(sha256, bytes)).status).toBe(201);
    expect((await put(sha256, bytes)).status).toBe(201);
    expect(await head(sha256)).toEqual({ offset: '1000', complete: 'true' });
  });

  it('goes on from where it was left, and is not there until it is whole', async () => {
    const { bytes, sha256 } = aBlob(1000);
    expect((await put(sha256, bytes.subarray(0, 400), 'bytes 0-399/1000')).status).toBe(202);
    expect(await head(sha256)).toEqual({ offset: '400', complete: 'false' });
    expect((await fetch(urlOf(sha256))).status).toBe(404);
    expect((await put(sha256, bytes.subarray(500), 'bytes 500-999/1000')).status).toBe(409);
    expect((await put(sha256, bytes.subarray(400), 'bytes 400-999/1000')).status).toBe(201);
    expect((await fetch(urlOf(sha256))).status).toBe(200);
  });

  it('keeps what came before the connection broke', async () => {
    const { bytes, sha256 } = aBlob(50_000);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          `PUT /api/v1/blobs/${sha256} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
            `Authorization: Bearer ${server.workerToken}\r\nContent-Length: 50000\r\n\r\n`,
        );
        socket.write(bytes.subarray(0, 20_000), () => setTimeout(() => socket.destroy(), 300));
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    await expect.poll(() => head(sha256)).toEqual({ offset: '20000', complete: 'false' });
    expect((await put(sha256, bytes.subarray(20_000), 'bytes 20000-49999/50000')).status).toBe(201);
  });

  it('that a killed server left whole and unverified is finished by the next part, whichever it is', async () => {
    const { bytes, sha256 } = aBlob(1000);
    await leaveUnfinished(sha256, bytes);
    expect(await head(sha256)).toEqual({ offset: '1000', complete: 'false' });
    expect((await put(sha256, bytes.subarray(0, 10), 'bytes 0-9/1000')).status).toBe(201);
    expect(await head(sha256)).toEqual({ offset: '1000', complete: 'true' });
  });

  it('begins anew where what was left unfinished has as many bytes, but others', async () => {
    const { bytes, sha256 } = aBlob(1000);
    await leaveUnfinished(sha256, randomBytes(1000));
    expect((await put(sha256, bytes)).status).toBe(201);
    expect(await head(sha256)).toEqual({ offset: '1000', complete: 'true' });
  });

  it('with wrong bytes is refused and leaves nothing', async () => {
    const { bytes, sha256 } = aBlob(1000);
    const corrupt = Buffer.from(bytes);
    corrupt[500] = (corrupt[500] ?? 0) ^ 1;
    const refused = await put(sha256, corrupt);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('hash');
    expect(await head(sha256)).toBeNull();
    expect((await put(sha256, bytes)).status).toBe(201);
  });

  it('put by several at once is stored once and whole', async () => {
    const { bytes, sha256 } = aBlob(2_000_000);
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(sha256, bytes)));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    const got = Buffer.from(await (await fetch(urlOf(sha256))).arrayBuffer());
    expect(got.equals(bytes)).toBe(true);
  });

  it('that is there already leaves the connection fit for the next request', async () => {
    const { bytes, sha256 } = aBlob(3_000_000);
    await put(sha256, bytes);
    for (let again = 0; again < 5; again++) {
      expect((await put(sha256, bytes)).status).toBe(201);
      expect(await head(sha256)).toEqual({ offset: '3000000', complete: 'true' });
    }
  });

  it.each([
    ['bytes 5-3/10', 422],
    ['bytes 0-9/5', 422],
    ['pages 1-2/3', 422],
    ['bytes 0-5/10', 422],
    [`bytes 0-9/${MAX_UPLOADED_CHECKPOINT_BYTES + 1}`, 413],
  ])('with Content-Range %s for ten bytes is refused', async (range, status) => {
    const { bytes, sha256 } = aBlob(10);
    expect((await put(sha256, bytes, range)).status).toBe(status);
    expect(await head(sha256)).toBeNull();
  });

  it('needs a worker token to be put', async () => {
    const { bytes, sha256 } = aBlob(10);
    expect((await put(sha256, bytes, undefined, 'guess')).status).toBe(401);
    expect((await fetch(urlOf(sha256), { method: 'PUT', body: 'x' })).status).toBe(401);
    expect(await head(sha256)).toBeNull();
  });

  it.each(['nonsense', `${'0'.repeat(63)}G`, '..%2F..%2Fworker-token'])('is not named %s', async (name) => {
    expect([404, 422]).toContain((await fetch(urlOf(name))).status);
    expect([404, 422]).toContain((await put(name, Buffer.from('x'))).status);
  });

  it('left unfinished for long is deleted', async () => {
    const { bytes, sha256 } = aBlob(100);
    await put(sha256, bytes.subarray(0, 50), 'bytes 0-49/100');
    const old = new Date(Date.now() - 60_000);
    await utimes(join(server.home, 'blobs', 'partial', sha256), old, old);
    const fresh = aBlob(100);
    await put(fresh.sha256, fresh.bytes.subarray(0, 50), 'bytes 0-49/100');
    expect(await server.runtime.blobs.removeStalePartials(30_000)).toBe(1);
    expect(await readdir(join(server.home, 'blobs', 'partial'))).toEqual([fresh.sha256]);
  });
});
