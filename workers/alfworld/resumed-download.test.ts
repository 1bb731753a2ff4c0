import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadFile } from './resumed-download';

const BODY = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const CUT_AT = 100_000;

let folder: string;
let server: Server;
let path: string;
let requests: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'download-'));
  path = join(folder, 'a.zip');
  requests = [];
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer((request, response) => {
    requests.push(request.headers.range ?? 'whole');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a listening TCP server.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.zip`;
}

/** Sends the body as a server with ranges does; the first answer is cut. */
function cutOnce(etag: (request: number) => string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const version = etag(requests.length);
    const asked = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const from = request.headers['if-range'] === version ? asked : 0;
    response.writeHead(from > 0 ? 206 : 200, { etag: version, 'content-length': BODY.length - from });
    if (requests.length > 1) response.end(BODY.subarray(from));
    else response.write(BODY.subarray(0, CUT_AT), () => setTimeout(() => response.destroy(), 20));
  };
}

const download = (url: string, sha256: string | null = null) =>
  downloadFile({ url, path, sha256, onProgress: () => undefined, signal: new AbortController().signal });

describe('downloadFile', () => {
  it('goes on where it was cut', async () => {
    const url = await serve(cutOnce(() => '"1"'));
    await expect(download(url)).rejects.toThrow(
      /was cut off at 100000 of 300000 bytes; again goes on from there/,
    );
    expect(existsSync(path)).toBe(false);
    expect(await download(url, SHA256)).toBe(SHA256);
    expect(requests).toEqual(['whole', 'bytes=100000-']);
    expect(readFileSync(path).equals(BODY)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.zip']);
  });

  it('starts anew where the file has changed since', async () => {
    const url = await serve(cutOnce((request) => `"${request}"`));
    await expect(download(url)).rejects.toThrow(/cut off/);
    expect(await download(url)).toBe(SHA256);
    expect(requests).toEqual(['whole', 'bytes=100000-']);
  });

  it('tells the progress, resumed part included', async () => {
    const url = await serve(cutOnce(() => '"1"'));
    await expect(download(url)).rejects.toThrow(/cut off/);
    const seen: (number | null)[][] = [];
    await downloadFile({
      url,
      path,
      sha256: null,
      onProgress: (...progress) => seen.push(progress),
      signal: new AbortController().signal,
    });
    expect(seen[0]?.[0]).toBeGreaterThan(CUT_AT);
    expect(seen.at(-1)).toEqual([BODY.length, BODY.length]);
  });

  it('refuses another checksum and keeps nothing', async () => {
    const url = await serve((_request, response) => response.end(BODY));
    await expect(download(url, '0'.repeat(64))).rejects.toThrow(
      `has the SHA-256 ${SHA256}, expected ${'0'.repeat(64)}; what had come is deleted`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says what the server answered, and that it cannot be reached', async () => {
    const url = await serve((_request, response) => response.writeHead(404).end());
    await expect(download(url)).rejects.toThrow(/answered 404 Not Found/);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(download(url)).rejects.toThrow(/cannot be reached: .*ECONNREFUSED/);
    await serve((_request, response) => response.end());
  });
});
