import { describe, expect, it } from 'vitest';
import { tinkerServer } from '../../env';
import { offeredEngines } from '../engine';
import { chooseProfile } from './profile';

describe('the kind of a server', () => {
  it.each([
    ['https://tinker.thinkingmachines.dev/services/tinker-prod', undefined, 'tinker'],
    ['http://127.0.0.1:8123', 'stepscope', 'stepscope'],
  ])('%s is known by itself', (address, server, id) => {
    expect(chooseProfile('auto', { address, server }).id).toBe(id);
  });

  it('that is unknown is never guessed, for losses would be scaled wrongly without a word', () => {
    const server = { address: 'http://gpu:8000', server: undefined };
    expect(() => chooseProfile('auto', server)).toThrow(
      'http://gpu:8000 does not say what kind of server it is: set STEPSCOPE_TINKER_PROFILE to one of stepscope, tinker, skyrl-jax, skyrl-train',
    );
    expect(chooseProfile('skyrl-train', server).lossReduction).toBe('sum');
  });
});

describe('the environment', () => {
  it('without a server offers none, whatever else it names', () => {
    expect(tinkerServer({ STEPSCOPE_TINKER_URL: '', STEPSCOPE_TINKER_API_KEY: 'x' })).toBeNull();
    expect(offeredEngines(null)).toEqual(['onnx', 'none']);
  });

  it('names a server with its key, and the worker then offers it', () => {
    const server = tinkerServer({
      STEPSCOPE_TINKER_URL: 'http://gpu:8000/',
      STEPSCOPE_TINKER_API_KEY: 'tml-1',
      STEPSCOPE_TINKER_PROFILE: 'skyrl-jax',
      STEPSCOPE_TINKER_LORA_RANK: '8',
    });
    expect(server).toMatchObject({
      address: 'http://gpu:8000',
      profile: 'skyrl-jax',
      codec: 'json',
      loraRank: 8,
      patienceMs: 300_000,
    });
    expect(server?.apiKey?.reveal()).toBe('tml-1');
    expect(JSON.stringify(server)).not.toContain('tml-1');
    expect(offeredEngines(server)).toEqual(['onnx', 'tinker', 'none']);
  });

  it.each([
    ['STEPSCOPE_TINKER_URL', 'gpu:8000', 'STEPSCOPE_TINKER_URL: expected http://host:port or https://host'],
    ['STEPSCOPE_TINKER_PROFILE', 'fast', 'expected one of auto, stepscope, tinker, skyrl-jax, skyrl-train'],
    ['STEPSCOPE_TINKER_PATIENCE_S', 'long', 'STEPSCOPE_TINKER_PATIENCE_S'],
  ])('with a wrong %s is refused by name', (name, value, message) => {
    const variables = { STEPSCOPE_TINKER_URL: 'http://gpu:8000', [name]: value };
    expect(() => tinkerServer(variables)).toThrow(message);
  });

  it.each([
    [
      'STEPSCOPE_TINKER_API_KEY',
      'tml-1\nline',
      'STEPSCOPE_TINKER_API_KEY: expected printable ASCII without spaces',
    ],
    [
      'STEPSCOPE_TINKER_URL',
      'http://user:tml-1@gpu',
      'STEPSCOPE_TINKER_URL: expected no user name, query or #',
    ],
  ])('with a wrong secret in %s is refused without telling it', (name, value, message) => {
    const variables = { STEPSCOPE_TINKER_URL: 'http://gpu:8000', [name]: value };
    expect(() => tinkerServer(variables)).toThrow(message);
    expect(() => tinkerServer(variables)).not.toThrow('tml-1');
  });
});
