import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alfWorldDataDir, heldEndpointKeys, outsideDataDir, REPOSITORY_DIR, workerSettings } from './env';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'stepscope-data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('workerSettings', () => {
  it('finds the server of this machine in the data folder', () => {
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:4700', port: 4700 }));
    writeFileSync(join(dataDir, 'worker-token'), 'secret\n');
    expect(workerSettings(['--name', 'box'], { STEPSCOPE_HOME: dataDir })).toEqual({
      server: 'http://127.0.0.1:4700',
      token: 'secret',
      home: join(dataDir, 'workers/local'),
      name: 'box',
      stopGraceMs: 60_000,
    });
  });

  it('prefers arguments, then the environment', () => {
    const variables = {
      STEPSCOPE_HOME: dataDir,
      STEPSCOPE_WORKER_TOKEN: 'from the environment',
      STEPSCOPE_STOP_GRACE_MS: '500',
    };
    const argv = ['--server', 'https://lab.example/', '--home', '/srv/worker'];
    expect(workerSettings(argv, variables)).toMatchObject({
      server: 'https://lab.example',
      token: 'from the environment',
      home: '/srv/worker',
      stopGraceMs: 500,
    });
    expect(workerSettings([...argv, '--token', 'given'], variables).token).toBe('given');
  });

  it.each([
    [['--server', 'ftp://x', '--token', 't'], {}, '--server: expected http://host:port'],
    [['--server', 'http://x:1', '--token', ' '], {}, '--token: expected a token'],
    [['--server', 'http://x:1', '--token', 't', '--name', ''], {}, '--name: expected a name'],
    [['--sever', 'http://x:1'], {}, "Unknown option '--sever'"],
    [
      ['--server', 'http://x:1', '--token', 't'],
      { STEPSCOPE_STOP_GRACE_MS: 'soon' },
      'STEPSCOPE_STOP_GRACE_MS',
    ],
    [
      [],
      {},
      'server.json cannot be read: start a server on this machine first (npm start), or give --server',
    ],
    [['--server', 'http://x:1'], {}, 'or give --token or STEPSCOPE_WORKER_TOKEN'],
  ])('names what is wrong in %j with %j', (argv, variables, message) => {
    expect(() => workerSettings(argv, { STEPSCOPE_HOME: dataDir, ...variables })).toThrow(message);
  });
});

describe('folders of data', () => {
  it('are named by the environment, or lie where they are used to lie', () => {
    expect(alfWorldDataDir({ ALFWORLD_DATA: '/srv/alfworld' })).toBe('/srv/alfworld');
    expect(alfWorldDataDir({ ALFWORLD_DATA: '' })).toBe(join(homedir(), '.cache/alfworld'));
    expect(outsideDataDir({ STEPSCOPE_DATA: '/srv/data' })).toBe('/srv/data');
    expect(outsideDataDir({})).toBe(join(REPOSITORY_DIR, '../shared/data'));
  });
});

describe('keys of endpoints', () => {
  it('are told by the names of the variables that hold one, and by nothing else', () => {
    const variables = {
      STEPSCOPE_ENDPOINT_KEY_GLM: 'sk-glm',
      STEPSCOPE_ENDPOINT_KEY: 'sk-any',
      STEPSCOPE_ENDPOINT_KEY_EMPTY: '',
      STEPSCOPE_ENDPOINT_KEY_BAD: 'two words',
      STEPSCOPE_TINKER_API_KEY: 'tml-secret',
    };
    expect(heldEndpointKeys(variables)).toEqual(['STEPSCOPE_ENDPOINT_KEY', 'STEPSCOPE_ENDPOINT_KEY_GLM']);
  });
});
