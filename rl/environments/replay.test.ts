import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { Comparison, parseRecord, skippedReplay } from './replay';

describe('Comparison', () => {
  it('counts what it compares and keeps what differs, both sides as JSON', () => {
    const comparison = new Comparison('maze/Long/1');
    comparison.check('reset', 'pose', [1, 2], [1, 2]);
    comparison.check(0, 'text', 'a', 'b');
    comparison.check(1, 'reward', 0.1 + 0.2, 0.3);
    expect(comparison.result(2)).toEqual({
      episode: 'maze/Long/1',
      skipped: null,
      turns: 2,
      compared: 3,
      mismatches: [
        { at: 0, what: 'text', expected: '"b"', actual: '"a"' },
        { at: 1, what: 'reward', expected: '0.3', actual: '0.30000000000000004' },
      ],
    });
  });
});

describe('parseRecord', () => {
  const Schema = z.object({ seed: z.int(), steps: z.array(z.object({ a: z.string() })) });

  it('gives what the schema reads', () => {
    expect(parseRecord(Schema, 'a maze', { seed: 1, steps: [], stdout: '' })).toEqual({ seed: 1, steps: [] });
  });

  it('names every field that is wrong', () => {
    const read = (): unknown => parseRecord(Schema, 'a maze', { seed: 1.5, steps: [{ a: 'go' }, {}] });
    expect(read).toThrow(/^Not a transcript of a maze: seed: .*; steps\.1\.a: /);
    expect(read).toThrow(AppError);
    expect(() => parseRecord(Schema, 'a maze', 7)).toThrow(/record: /);
  });
});

describe('skippedReplay', () => {
  it('compares nothing', () => {
    expect(skippedReplay('maze/Long/1', 'KeyError(0)')).toMatchObject({
      skipped: 'KeyError(0)',
      compared: 0,
      mismatches: [],
    });
  });
});
