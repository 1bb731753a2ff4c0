import { describe, expect, it } from 'vitest';
import { readEngineCommand } from './settings';

const URL = { STEPSCOPE_TINKER_URL: 'http://127.0.0.1:8000' };
const COMMAND = JSON.stringify(['uv', 'run', '--backend-config', '{"max_lora_rank": 32}']);

describe("a worker's engine command", () => {
  it('is none where none is named', () => {
    expect(readEngineCommand(URL)).toBeNull();
  });

  it('is a list of texts, so that no shell and no quoting come between', () => {
    const settings = readEngineCommand({ ...URL, STEPSCOPE_ENGINE_COMMAND: COMMAND });
    expect(settings?.argv).toEqual(['uv', 'run', '--backend-config', '{"max_lora_rank": 32}']);
    expect(settings?.readyMs).toBe(900_000);
  });

  it("is started without the worker's token, and its output shows no secret of the environment", () => {
    const settings = readEngineCommand({
      ...URL,
      STEPSCOPE_ENGINE_COMMAND: COMMAND,
      STEPSCOPE_WORKER_TOKEN: 'worker-token',
      STEPSCOPE_TINKER_API_KEY: 'tml-key',
      HF_TOKEN: 'hf_token',
      DEBUG_KEY: '1',
      PATH: '/usr/bin',
    });
    expect(settings?.env).not.toHaveProperty('STEPSCOPE_WORKER_TOKEN');
    expect(settings?.env).toMatchObject({ PATH: '/usr/bin', STEPSCOPE_TINKER_API_KEY: 'tml-key' });
    expect(settings?.secrets.map((secret) => secret.reveal()).sort()).toEqual([
      'hf_token',
      'tml-key',
      'worker-token',
    ]);
  });

  it('is started without the keys of endpoints, and hides names that go on after KEY, and passwords in addresses', () => {
    const settings = readEngineCommand({
      ...URL,
      STEPSCOPE_ENGINE_COMMAND: COMMAND,
      STEPSCOPE_ENDPOINT_KEY: 'plain-key',
      STEPSCOPE_ENDPOINT_KEY_GLM: 'plain-key-of-glm',
      AWS_ACCESS_KEY_ID: 'AKIA1234',
      DATABASE_URL: 'postgres://agent:p%40ssword@db:5432/runs',
      HTTPS_PROXY: 'http://proxy:3128',
      KEYBOARD: 'us-layout',
    });
    expect(Object.keys(settings?.env ?? {}).filter((name) => name.includes('ENDPOINT_KEY'))).toEqual([]);
    expect(settings?.env).toMatchObject({ AWS_ACCESS_KEY_ID: 'AKIA1234' });
    expect(settings?.secrets.map((secret) => secret.reveal())).toEqual([
      'plain-key-of-glm',
      'p%40ssword',
      'plain-key',
      'AKIA1234',
      'p@ssword',
    ]);
  });

  it.each([
    [
      { STEPSCOPE_ENGINE_COMMAND: 'uv run server' },
      'STEPSCOPE_ENGINE_COMMAND: expected a JSON list of texts',
    ],
    [{ STEPSCOPE_ENGINE_COMMAND: '{"a":1}' }, 'STEPSCOPE_ENGINE_COMMAND: expected a JSON list of texts'],
    [{ STEPSCOPE_ENGINE_COMMAND: '[]' }, 'STEPSCOPE_ENGINE_COMMAND: expected a program, then its arguments'],
    [{ STEPSCOPE_ENGINE_COMMAND: '["uv", 8]' }, 'STEPSCOPE_ENGINE_COMMAND.1'],
    [{ STEPSCOPE_ENGINE_COMMAND: COMMAND, STEPSCOPE_ENGINE_READY_S: 'soon' }, 'STEPSCOPE_ENGINE_READY_S'],
  ])('that is wrong is refused by name: %j', (variables, message) => {
    expect(() => readEngineCommand({ ...URL, ...variables })).toThrow(message);
  });

  it('needs the address at which the engine will answer', () => {
    expect(() => readEngineCommand({ STEPSCOPE_ENGINE_COMMAND: COMMAND })).toThrow(
      'STEPSCOPE_TINKER_URL is not: it has to name the address',
    );
  });
});
