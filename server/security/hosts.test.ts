import { request } from 'node:http';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../testing/start-server';
import type { TestServer } from '../testing/start-server';
import { checkHostAndOrigin } from './hosts';

describe('Host and Origin', () => {
  it.each([
    ['localhost:4700', undefined],
    ['127.0.0.1:9999', 'http://127.0.0.1:9999'],
    ['[::1]:4700', 'http://[::1]:4700'],
    ['LOCALHOST:4700', 'http://localhost:4700'],
    ['lab:4700', 'https://lab:4700'],
  ])('lets %s with Origin %s in', (host, origin) => {
    expect(() => checkHostAndOrigin({ host, origin }, ['lab:4700'])).not.toThrow();
  });

  it.each([
    ['evil.example', undefined],
    ['localhost.evil.example', undefined],
    ['lab:4701', undefined],
    [undefined, undefined],
    ['localhost:4700', 'http://localhost:3000'],
    ['localhost:4700', 'http://evil.example'],
    ['localhost:4700', 'null'],
  ])('keeps %s with Origin %s out', (host, origin) => {
    expect(() => checkHostAndOrigin({ host, origin }, ['lab:4700'])).toThrow(/Host|Origin/);
  });
});

describe('a server asked by another site', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  /** Fetch cannot set Host. */
  function statusOf(headers: Record<string, string>, method = 'GET', path = '/api/v1/runs'): Promise<number> {
    return new Promise((resolve, reject) => {
      request(`${server.url}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  }

  it('answers its own pages and refuses rebound names and foreign origins', async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ Host: 'rebound.example' })).toBe(403);
    expect(await statusOf({ Origin: 'http://evil.example' }, 'POST')).toBe(403);
    expect(await statusOf({ Host: 'rebound.example' }, 'GET', '/socket.io/?EIO=4&transport=polling')).toBe(
      403,
    );
  });

  it.each(['polling', 'websocket'])('refuses a foreign origin on sockets by %s', async (transport) => {
    const socket = io(server.url, {
      forceNew: true,
      reconnection: false,
      transports: [transport],
      extraHeaders: { Origin: 'http://evil.example' },
    });
    const outcome = await new Promise<string>((resolve) => {
      socket.on('connect', () => resolve('connected'));
      socket.on('connect_error', () => resolve('refused'));
    });
    socket.close();
    expect(outcome).toBe('refused');
  });

  it('forbids framing, guessing of types and foreign scripts', async () => {
    const { headers } = await fetch(`${server.url}/api/v1/health`);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe-eval');
  });
});
