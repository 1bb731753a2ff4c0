import { describe, expect, it } from 'vitest';
import { parseOrThrow } from '../parse';
import { AGENTGYM_DEFAULTS, AGENTGYM_SPLIT_SIZES, AgentGymConfig } from './agentgym';
import { BABYAI_DEFAULTS, BABYAI_SPLIT_SIZES } from './babyai';
import { splitSizesOf } from './registry';

function parse(changes: Record<string, unknown>): AgentGymConfig {
  return parseOrThrow(AgentGymConfig, { ...AGENTGYM_DEFAULTS, ...changes }, 'environment');
}

describe('the config of an AgentGym server', () => {
  it('takes http and https addresses, with a path where a proxy has one', () => {
    for (const address of ['http://127.0.0.1:36005', 'https://gpu-box.example/alfworld/'])
      expect(parse({ address }).address).toBe(address);
  });

  it.each([
    { address: 'ftp://host', says: 'address: expected http://host:port or https://host' },
    { address: '127.0.0.1:36005', says: 'address: expected http://host:port or https://host' },
    { address: 'http://me:secret@host', says: 'address: expected an address without user name, password' },
    { address: 'http://host/?key=1', says: 'address: expected an address without user name, password' },
    { address: 'http://host/#top', says: 'address: expected an address without user name, password' },
  ])('refuses $address, saying why', ({ address, says }) => {
    expect(() => parse({ address })).toThrow(says);
  });

  it('names a game and a time-out that there are not', () => {
    expect(() => parse({ game: 'webshop' })).toThrow(/game: /);
    expect(() => parse({ timeoutS: 301 })).toThrow(/timeoutS: /);
  });
});

describe('splitSizesOf', () => {
  it('gives the sizes of the game that the server plays', () => {
    expect(splitSizesOf(AGENTGYM_DEFAULTS)).toEqual(AGENTGYM_SPLIT_SIZES.babyai);
    expect(splitSizesOf({ ...AGENTGYM_DEFAULTS, game: 'alfworld' }).valid_unseen).toBe(0);
    expect(splitSizesOf(BABYAI_DEFAULTS)).toEqual(BABYAI_SPLIT_SIZES);
  });
});
