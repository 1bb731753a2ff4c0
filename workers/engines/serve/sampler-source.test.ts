import { describe, expect, it } from 'vitest';
import type { SamplingClient } from '@/contract/engine';
import { CheckpointSamplers, openSampler } from './sampler-source';

/** No request reaches it. */
const CLIENT = {} as SamplingClient;

/** Samplers with room for two, and what was opened and closed of them, in order. */
function twoSamplers(fails: (path: string) => boolean = () => false) {
  const happened: string[] = [];
  const samplers = new CheckpointSamplers(2, (path) => {
    happened.push(`open ${path}`);
    if (fails(path)) return Promise.reject(new Error(`no weights in ${path}`));
    const end = () => {
      happened.push(`close ${path}`);
      return Promise.resolve();
    };
    return Promise.resolve(openSampler({ client: CLIENT, stopTokens: [] }, end));
  });
  const use = async (path: string): Promise<() => void> => {
    const { opened, release } = samplers.source(path).lease();
    await opened;
    return release;
  };
  const useOnce = async (path: string): Promise<void> => (await use(path))();
  return { happened, samplers, use, useOnce };
}

describe('policies of checkpoints', () => {
  it('are opened once for all that sample from one', async () => {
    const { happened, use } = twoSamplers();
    await Promise.all([use('a'), use('a')]);
    await use('a');
    expect(happened).toEqual(['open a']);
  });

  it('make room, the least recently used first, and are opened again when they are asked for', async () => {
    const { happened, useOnce } = twoSamplers();
    for (const path of ['a', 'b', 'a', 'c', 'b']) await useOnce(path);
    expect(happened).toEqual(['open a', 'open b', 'open c', 'close b', 'open b', 'close a']);
  });

  it('never make room while a request uses them; a further one is refused until then', async () => {
    const { happened, use, useOnce } = twoSamplers();
    const releases = [await use('a'), await use('b')];
    await expect(use('c')).rejects.toMatchObject({
      status: 429,
      message: 'this server samples from at most 2 checkpoints at once (--max-samplers)',
    });
    releases[1]?.();
    releases[1]?.();
    await useOnce('c');
    expect(happened).toEqual(['open a', 'open b', 'open c', 'close b']);
  });

  it('that could not be opened take no room and are tried again', async () => {
    let isBroken = true;
    const { happened, useOnce } = twoSamplers((path) => path === 'a' && isBroken);
    await expect(useOnce('a')).rejects.toThrow('no weights in a');
    isBroken = false;
    await useOnce('a');
    expect(happened).toEqual(['open a', 'open a']);
  });

  it('are closed with the last session that samples from them', async () => {
    const { happened, samplers, useOnce } = twoSamplers();
    await useOnce('a');
    await samplers.source('a').close();
    await samplers.source('a').close();
    expect(happened).toEqual(['open a', 'close a']);
  });
});
