import { describe, expect, it } from 'vitest';
import { readServerEnvironment } from './env';

describe('the environment of the server', () => {
  it('has a default for everything', () => {
    expect(readServerEnvironment({})).toMatchObject({
      port: 4700,
      portIsFixed: false,
      host: '127.0.0.1',
      databaseUrl: null,
      lease: { heartbeatMs: 5000, leaseMs: 30_000 },
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readServerEnvironment({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 4700,
      databaseUrl: null,
    });
  });

  it('refuses to listen beyond loopback, since there is no sign-in', () => {
    expect(() => readServerEnvironment({ HOST: '0.0.0.0' })).toThrow(/HOST=0\.0\.0\.0: .*sign-in/);
  });

  it.each([
    [{ PORT: 'http' }, /PORT=http/],
    [{ PORT: '70000' }, /PORT=70000/],
    [{ DATABASE_URL: 'mysql://localhost' }, /DATABASE_URL=.*postgres:\/\//],
    [{ STEPSCOPE_LEASE_MS: '0' }, /STEPSCOPE_LEASE_MS=0/],
    [{ STEPSCOPE_ALLOWED_HOSTS: 'a b' }, /STEPSCOPE_ALLOWED_HOSTS=a b/],
  ])('names the variable that is wrong: %o', (variables, message) => {
    expect(() => readServerEnvironment(variables)).toThrow(message);
  });

  it('refuses a lease that one late heartbeat would lose', () => {
    expect(() =>
      readServerEnvironment({ STEPSCOPE_HEARTBEAT_MS: '1000', STEPSCOPE_LEASE_MS: '1500' }),
    ).toThrow(/STEPSCOPE_LEASE_MS=1500 must be at least twice STEPSCOPE_HEARTBEAT_MS=1000/);
  });

  it('splits the allowed hosts', () => {
    const { allowedHosts } = readServerEnvironment({ STEPSCOPE_ALLOWED_HOSTS: 'Lab-Box:4700, other' });
    expect(allowedHosts).toEqual(['lab-box:4700', 'other']);
  });

  it('never shows a database address that it refuses', () => {
    const read = () => readServerEnvironment({ DATABASE_URL: 'mysql://user:hunter2@host/db' });
    expect(read).toThrow(/DATABASE_URL=\(not shown\): expected postgres:/);
    expect(read).not.toThrow(/hunter2/);
  });
});
