import { describe, expect, it } from 'vitest';
import { entropyOf, gspoLosses, ppoLoss, type ClipBounds } from './policy-losses';

const BOUNDS: ClipBounds = { low: 0.8, high: 1.28 };

/** A token whose ratio is `ratio`. */
const token = (ratio: number, advantage: number) => ({
  logprob: -1 + Math.log(ratio),
  oldLogprob: -1,
  advantage,
});

describe('the clipped policy loss', () => {
  it.each([
    { ratio: 1, advantage: 2, loss: -2, gradient: -2, isClipped: false },
    { ratio: 1.5, advantage: 2, loss: -2.56, gradient: 0, isClipped: true },
    { ratio: 0.5, advantage: 2, loss: -1, gradient: -1, isClipped: false },
    { ratio: 0.5, advantage: -2, loss: 1.6, gradient: 0, isClipped: true },
    { ratio: 1.5, advantage: -2, loss: 3, gradient: 3, isClipped: false },
    { ratio: 1.5, advantage: 0, loss: 0, gradient: 0, isClipped: false },
  ])('of ratio $ratio and advantage $advantage is $loss', ({ ratio, advantage, ...expected }) => {
    const given = ppoLoss(token(ratio, advantage), BOUNDS);
    expect(given.loss).toBeCloseTo(expected.loss, 12);
    expect(given.gradient).toBeCloseTo(expected.gradient, 12);
    expect(given.isClipped).toBe(expected.isClipped);
  });

  it('is bounded for negative advantages alone by the dual clip', () => {
    const bounds = { ...BOUNDS, dualClip: 3 };
    expect(ppoLoss(token(5, -2), bounds)).toMatchObject({ loss: 6, gradient: 0, isDualClipped: true });
    expect(ppoLoss(token(2, -2), bounds)).toMatchObject({ isDualClipped: false });
    expect(ppoLoss(token(5, 2), bounds)).toEqual(ppoLoss(token(5, 2), BOUNDS));
  });

  it('stops following a log-ratio past its bound', () => {
    const far = { logprob: 0, oldLogprob: -5, advantage: -1 };
    const given = ppoLoss(far, { ...BOUNDS, maxLogRatio: 2 });
    expect(given.loss).toBeCloseTo(Math.exp(2), 12);
    expect(given.gradient).toBe(0);
  });

  it('has the gradient that a small change shows', () => {
    const bounds = { ...BOUNDS, dualClip: 3, maxLogRatio: 20 };
    const width = 1e-6;
    for (const ratio of [0.3, 0.9, 1.1, 2, 4])
      for (const advantage of [-1.7, 0.6]) {
        const at = token(ratio, advantage);
        const loss = (shift: number) => ppoLoss({ ...at, logprob: at.logprob + shift }, bounds).loss;
        expect(ppoLoss(at, bounds).gradient).toBeCloseTo((loss(width) - loss(-width)) / (2 * width), 7);
      }
  });
});

describe('the sequence loss of GSPO', () => {
  it('has the ratio of the mean over sampled tokens for all of them', () => {
    const tokens = [token(1.1, 1), token(1.3, 1), token(50, 1)];
    const losses = gspoLosses(tokens, [1, 1, 0], BOUNDS);
    const ratio = Math.sqrt(1.1 * 1.3);
    for (const { loss, gradient } of losses) {
      expect(loss).toBeCloseTo(-ratio, 12);
      expect(gradient).toBeCloseTo(-ratio, 12);
    }
  });

  it('clips sequences whole', () => {
    const losses = gspoLosses([token(2, 1), token(2, -1)], [1, 1], BOUNDS);
    expect(losses.map(({ isClipped }) => isClipped)).toEqual([true, false]);
  });

  it('is bounded above alone, and takes a sequence without sampled tokens as unchanged', () => {
    const far = { logprob: 100, oldLogprob: 0, advantage: -1 };
    expect(gspoLosses([far], [1], BOUNDS)[0]).toMatchObject({ ratio: Math.exp(10), gradient: 0 });
    expect(gspoLosses([{ ...far, logprob: -100 }], [1], BOUNDS)[0]?.ratio).toBe(Math.exp(-100));
    expect(gspoLosses([far], [0], BOUNDS)[0]?.ratio).toBe(1);
  });
});

describe('entropy', () => {
  it('is that of the distribution, whatever the origin of the logits', () => {
    expect(entropyOf([0, 0, 0, 0])).toBeCloseTo(Math.log(4), 12);
    expect(entropyOf([Math.log(3) + 50, 50])).toBeCloseTo(-0.75 * Math.log(0.75) - 0.25 * Math.log(0.25), 12);
    expect(entropyOf([1000, 0])).toBe(0);
  });
});
