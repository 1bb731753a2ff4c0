import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { TokenChooser } from './choose-token';

/** Logits of the distribution 0.5, 0.25, 0.125, 0.125. */
const LOGITS = Float32Array.from([0.5, 0.25, 0.125, 0.125], Math.log);

describe('a token', () => {
  it('is drawn as often as its probability says, with that probability as its logprob', () => {
    const chooser = new TokenChooser(4);
    const random = createRandom(1);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 20_000; i++) {
      const { token, logprob } = chooser.choose(LOGITS, { temperature: 1 }, random);
      counts[token] = (counts[token] ?? 0) + 1;
      expect(logprob).toBeCloseTo(LOGITS[token] ?? NaN, 6);
    }
    // Five standard deviations of a binomial with n = 20,000.
    [0.5, 0.25, 0.125, 0.125].forEach((p, id) =>
      expect(Math.abs((counts[id] ?? 0) / 20_000 - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 20_000)),
    );
  });

  it('has its logprob at the sampling temperature', () => {
    // At temperature 0.5 the weights are squared: 16 : 4 : 1 : 1.
    const { token, logprob } = new TokenChooser(4).choose(LOGITS, { temperature: 0.5 }, createRandom(3));
    expect(logprob).toBeCloseTo(Math.log([16 / 22, 4 / 22, 1 / 22, 1 / 22][token] ?? NaN), 6);
  });

  it('states the entropy of what it was drawn from where asked, top-k and top-p aside, and else none', () => {
    const chooser = new TokenChooser(4);
    // 0.5 ln 2 + 0.25 ln 4 + 2 x 0.125 ln 8 = 1.75 ln 2.
    const drawing = { temperature: 1, topK: 1, entropies: true };
    expect(chooser.choose(LOGITS, drawing, createRandom(1)).entropy).toBeCloseTo(1.75 * Math.LN2, 6);
    expect(chooser.choose(LOGITS, { ...drawing, temperature: 0 }, createRandom(1)).entropy).toBeCloseTo(
      1.75 * Math.LN2,
      6,
    );
    const impossible = Float32Array.of(0, -Infinity, 0, -Infinity);
    expect(chooser.choose(impossible, drawing, createRandom(1)).entropy).toBeCloseTo(Math.LN2, 6);
    expect(chooser.choose(LOGITS, { temperature: 1 }, createRandom(1))).not.toHaveProperty('entropy');
  });

  it('is the first arg max where greedy, with its logprob at temperature 1, and costs no draw', () => {
    const random = createRandom(1);
    const chosen = new TokenChooser(3).choose(Float32Array.of(0, 2, 2), { temperature: 0 }, random);
    expect(chosen.token).toBe(1);
    expect(chosen.logprob).toBeCloseTo(-Math.log(2 + Math.exp(-2)), 6);
    expect(random.next()).toBe(createRandom(1).next());
  });

  it('comes from the allowed ids alone, renormalised over them', () => {
    const random = createRandom(1);
    for (let i = 0; i < 200; i++) {
      const { token, logprob } = new TokenChooser(4).choose(LOGITS, { temperature: 1 }, random, [1, 3]);
      expect([1, 3]).toContain(token);
      expect(logprob).toBeCloseTo(Math.log(token === 1 ? 2 / 3 : 1 / 3), 6);
    }
  });

  it('comes from the k likeliest, its logprob still that of the whole distribution', () => {
    const random = createRandom(4);
    const seen = new Set<number>();
    for (let i = 0; i < 200; i++) {
      const { token, logprob } = new TokenChooser(4).choose(LOGITS, { temperature: 1, topK: 2 }, random);
      seen.add(token);
      expect(logprob).toBeCloseTo(LOGITS[token] ?? NaN, 6);
    }
    expect([...seen].sort()).toEqual([0, 1]);
  });

  it.each([
    [0.5, [0]],
    [0.51, [0, 1]],
    [0.76, [0, 1, 2]],
    [1, [0, 1, 2, 3]],
    [1e-9, [0]],
  ])('comes from the fewest that reach a top-p of %f: %j', (topP, expected) => {
    const random = createRandom(5);
    const draws = Array.from(
      { length: 300 },
      () => new TokenChooser(4).choose(LOGITS, { temperature: 1, topP }, random).token,
    );
    expect([...new Set(draws)].sort()).toEqual(expected);
  });

  it('takes top-p of what top-k left', () => {
    // Of 0.5 and 0.25 the first has two thirds: enough for 0.6 there, though not of the whole.
    const random = createRandom(6);
    for (let i = 0; i < 100; i++)
      expect(new TokenChooser(4).choose(LOGITS, { temperature: 1, topK: 2, topP: 0.6 }, random).token).toBe(
        0,
      );
  });

  it('is never one of probability 0', () => {
    const random = createRandom(2);
    const logits = Float32Array.of(-Infinity, 0, -Infinity);
    for (let i = 0; i < 1000; i++)
      expect(new TokenChooser(3).choose(logits, { temperature: 1 }, random).token).toBe(1);
  });

  it('is refused where logits are not finite', () => {
    for (const broken of [NaN, Infinity])
      expect(() =>
        new TokenChooser(2).choose(Float32Array.of(0, broken), { temperature: 1 }, createRandom(1)),
      ).toThrow('diverged');
  });
});
