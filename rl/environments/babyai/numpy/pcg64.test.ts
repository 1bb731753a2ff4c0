import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Pcg64 } from './pcg64';
import { seedSequence } from './seed-sequence';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden');
const Draws = z.array(z.array(z.unknown()));
const Reference = z.array(z.tuple([z.number(), Draws]));
const Handover = z.object({
  states: z.array(z.object({ seed: z.string(), state32: z.array(z.number()), raw: z.array(z.string()) })),
  draws: z.array(z.tuple([z.string(), Draws])),
});

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(GOLDEN, name), 'utf8'));
}

describe.skipIf(!existsSync(GOLDEN))('numpy golden vectors (STEPSCOPE_DATA)', () => {
  it('draws the integers and uniforms numpy draws', () => {
    let checked = 0;
    for (const [seed, draws] of Reference.parse(read('rng_ref.json'))) {
      const generator = new Pcg64(seed);
      for (const draw of draws) {
        if (draw[0] === 'i') {
          expect(generator.integers(Number(draw[1]), Number(draw[2]))).toBe(draw[3]);
        } else {
          expect(generator.uniform(0, 1)).toBe(draw[1]);
        }
        checked++;
      }
    }
    expect(checked).toBe(4400);
  });

  it('expands seeds of one and two words as SeedSequence does, and outputs what PCG64 outputs', () => {
    const { states } = Handover.parse(read('rng_handover.json'));
    const safe = states.filter(({ seed }) => Number.isSafeInteger(Number(seed)));
    expect(safe.length).toBeGreaterThan(9);
    for (const { seed, state32, raw } of safe) {
      expect([...seedSequence(Number(seed), state32.length)]).toEqual(state32);
      const generator = new Pcg64(Number(seed));
      const outputs = raw.map(() => {
        const { high, low } = generator.next64();
        return ((BigInt(high) << 32n) | BigInt(low)).toString();
      });
      expect(outputs).toEqual(raw);
    }
  });

  it('draws from ranges up to 2^32 - 1 as numpy does, until the first wider one', () => {
    const { draws } = Handover.parse(read('rng_handover.json'));
    let checked = 0;
    for (const [seed, list] of draws.filter(([seed]) => Number.isSafeInteger(Number(seed)))) {
      const generator = new Pcg64(Number(seed));
      for (const draw of list) {
        const [kind, low, high, value] = draw;
        if (kind === 'I') break;
        if (kind === 'u') expect(generator.uniform(Number(low), Number(high))).toBe(value);
        else expect(generator.integers(Number(low), Number(high))).toBe(value);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(9);
  });
});

describe('Pcg64', () => {
  it('returns the only value of a range of one without a draw', () => {
    const left = new Pcg64(9);
    const right = new Pcg64(9);
    expect(left.integers(3, 4)).toBe(3);
    expect(left.next64()).toEqual(right.next64());
  });

  it('keeps the high half of an output for the next 32-bit draw, across a uniform', () => {
    const outputs = new Pcg64(9);
    const first = outputs.next64();
    const halves = new Pcg64(9);
    expect(halves.next32()).toBe(first.low);
    halves.uniform(0, 1);
    expect(halves.next32()).toBe(first.high);
  });

  it('refuses a seed numpy would refuse', () => {
    expect(() => new Pcg64(-1)).toThrow(/got -1/);
    expect(() => new Pcg64(0.5)).toThrow(/got 0.5/);
  });
});
