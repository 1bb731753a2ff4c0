import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY_DIR } from '../../env';
import { isLoopback, serveSettings } from './settings';

describe('the settings of a server', () => {
  it('need a model alone; it then listens on this machine only', () => {
    expect(serveSettings(['--model', 'models/babyai-tiny'], { STEPSCOPE_HOME: '/data' })).toEqual({
      modelName: 'models/babyai-tiny',
      modelDir: join(REPOSITORY_DIR, 'models/babyai-tiny'),
      host: '127.0.0.1',
      port: 8123,
      apiKey: null,
      children: 1,
      microBatchTokens: 2048,
      maxModels: 4,
      maxSamplers: 4,
      maxLoraRank: 128,
      checkpointsDir: '/data/engine-checkpoints',
      sessionTimeoutMs: 300_000,
    });
  });

  it('take the key from the variable that is named, and never show it', () => {
    const settings = serveSettings(['--model', 'm', '--host', '0.0.0.0', '--key-env', 'KEY'], {
      KEY: 'hidden',
    });
    expect(settings.apiKey?.reveal()).toBe('hidden');
    expect(JSON.stringify(settings)).not.toContain('hidden');
  });

  it.each([
    [[], '--model: is missing'],
    [['--model', 'm', '--port', '70000'], '--port: '],
    [['--model', 'm', '--children', 'two'], '--children: '],
    [['--model', 'm', '--port', ''], '--port: is empty; expected a value'],
    [['--model', 'm', '--session-timeout', ' '], '--session-timeout: is empty'],
    [['--model', ''], '--model: is empty'],
    [['--model', 'm', '--speed', '2'], "Unknown option '--speed'"],
    [['--model', 'm', '--host', '0.0.0.0'], '--host 0.0.0.0 can be reached from other machines'],
    [['--model', 'm', '--host', 'gpu.lan'], 'give --key-env, or listen on 127.0.0.1'],
    [['--model', 'm', '--key-env', 'ABSENT'], 'the variable ABSENT holds no key'],
  ])('%j are refused, saying which and why', (argv, message) => {
    expect(() => serveSettings(argv, {})).toThrow(message);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['127.0.0.1.example', false],
    ['localhost.example', false],
  ])('know whether %s is this machine alone: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
