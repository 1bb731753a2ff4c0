import { describe, expect, it } from 'vitest';
import { probeTinkerServer } from './probe';
import { Secret } from './secret';
import { scriptedFetch, type Scripted } from './testing/scripted-fetch';

const ADDRESS = 'http://gpu:8000';

function probe(answer: Scripted, apiKey: Secret | null = null) {
  const { fetch, sent } = scriptedFetch([answer]);
  return { sent, report: probeTinkerServer({ address: ADDRESS, apiKey, fetch }) };
}

describe('a probe of a server', () => {
  it('lists the models that it has', async () => {
    const { sent, report } = probe(
      {
        status: 200,
        body: { supported_models: [{ model_name: 'Qwen/Qwen3-8B' }, { model_name: 'Qwen/Qwen3-0.6B' }] },
      },
      new Secret('tml-key'),
    );
    expect(await report).toEqual({
      address: ADDRESS,
      models: ['Qwen/Qwen3-8B', 'Qwen/Qwen3-0.6B'],
      problem: null,
    });
    expect(sent[0]?.route).toBe('/api/v1/get_server_capabilities');
    expect(sent[0]?.headers.get('X-API-Key')).toBe('tml-key');
  });

  it.each([
    ['is away', { fails: new TypeError('fetch failed') }, 'get_server_capabilities'],
    ['refuses', { status: 401, body: { detail: 'invalid key' } }, 'invalid key'],
    ['is none of the protocol', { status: 404, body: { detail: 'Not Found' } }, '404'],
    ['answers otherwise', { status: 200, body: { models: [] } }, 'supported_models'],
  ])('says why where the server %s, asking once', async (_, answer: Scripted, words) => {
    const { sent, report } = probe(answer);
    const { models, problem } = await report;
    expect(models).toEqual([]);
    expect(problem).toContain(words);
    expect(sent).toHaveLength(1);
  });
});
