import { describe, expect, it } from 'vitest';
import { hashedNgrams } from './hashed-ngrams';

const cosine = (a: readonly number[] = [], b: readonly number[] = []) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0);

const TEXTS = [
  'Open every drawer before the fridge.',
  'open EVERY drawer, before the fridge!',
  'Open every drawer before the cabinet.',
  'Turn left until the wall ends.',
  '',
  '...',
  '先打开冰箱',
];

describe('hashed n-grams', () => {
  it('are unit vectors of one length, of texts without words too', async () => {
    const vectors = await hashedNgrams.embed(TEXTS);
    expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 12);
  });

  it('are the nearer the more wording two texts share', async () => {
    const [drawer, shouted, cabinet, turn, empty, dots, fridge] = await hashedNgrams.embed(TEXTS);
    expect(cosine(drawer, shouted)).toBeCloseTo(1, 12);
    expect(cosine(drawer, cabinet)).toBeGreaterThan(0.6);
    expect(cosine(drawer, turn)).toBeLessThan(0.3);
    expect(cosine(drawer, fridge)).toBeLessThan(0.3);
    expect(dots).toEqual(empty);
  });

  it('are the same for a text whatever else is embedded with it', async () => {
    expect(await hashedNgrams.embed([TEXTS[2] ?? ''])).toEqual([(await hashedNgrams.embed(TEXTS))[2]]);
    expect(await hashedNgrams.embed([])).toEqual([]);
  });
});
