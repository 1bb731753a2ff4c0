import { describe, expect, it } from 'vitest';
import { changedSettings, configLeaves, formatLeaf, inOrderOf } from './config-rows';

describe('config as rows', () => {
  it('names each leaf by its dotted key and keeps arrays whole', () => {
    expect(configLeaves({ seed: 1, update: { rate: 0.1 }, levels: ['a', 'b'] })).toEqual([
      { key: 'seed', value: 1 },
      { key: 'update.rate', value: 0.1 },
      { key: 'levels', value: ['a', 'b'] },
    ]);
  });

  it('stands in the order of a model, with what the model lacks at the end', () => {
    const stored = configLeaves({ own: 0, seed: 1, update: { beta1: 0.9, learningRate: 1 } });
    const model = { seed: 2, update: { learningRate: 3, beta1: 4 } };
    expect(inOrderOf(stored, model).map(({ key }) => key)).toEqual([
      'seed',
      'update.learningRate',
      'update.beta1',
      'own',
    ]);
    expect(inOrderOf(stored, undefined)).toEqual(stored);
  });

  it('lists what differs, with keys that only one side has', () => {
    expect(
      changedSettings({ a: 1, b: { c: [1] }, gone: true }, { a: 1, b: { c: [1, 2] }, fresh: 'x' }),
    ).toEqual([
      { key: 'b.c', before: [1], after: [1, 2] },
      { key: 'fresh', before: undefined, after: 'x' },
      { key: 'gone', before: true, after: undefined },
    ]);
  });

  it('lists the leaves of a part that was null, and not that it was', () => {
    const prices = { a: { unit: 'x', price: 2 } };
    expect(changedSettings({ a: null }, prices)).toEqual([
      { key: 'a.unit', before: undefined, after: 'x' },
      { key: 'a.price', before: undefined, after: 2 },
    ]);
    expect(changedSettings(prices, { a: null }).map(({ key }) => key)).toEqual(['a.unit', 'a.price']);
  });

  it('tells the text "1" from the number 1', () => {
    expect(changedSettings({ a: 1 }, { a: '1' })).toHaveLength(1);
    expect(formatLeaf(['a'])).toBe('["a"]');
    expect(formatLeaf(undefined)).toBe('absent');
  });
});
