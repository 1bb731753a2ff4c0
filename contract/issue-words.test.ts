import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFieldIssues } from './parse';

function messageOf(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = z.object({ field: schema }).safeParse({ field: value });
  return parsed.success ? undefined : toFieldIssues(parsed.error)[0]?.message;
}

describe('the words for a wrong field', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a number below its bound', z.int().min(0), -4, 'expected 0 or more, got -4'],
    ['a number on a bound it must exceed', z.number().positive(), 0, 'expected more than 0, got 0'],
    ['a number above its bound', z.number().max(1), 1.5, 'expected 1 or less, got 1.5'],
    ['a number at a bound it must stay below', z.number().lt(1), 1, 'expected less than 1, got 1'],
    ['a fraction for a whole number', z.int(), 0.5, 'expected a whole number, got 0.5'],
    ['no number', z.number(), Number.NaN, 'expected a number, got NaN'],
    ['text for a number', z.number(), 'fast', 'expected a number, got "fast"'],
    ['nothing', z.string(), undefined, 'is missing'],
    ['nothing for one of several', z.enum(['a', 'b']), undefined, 'is missing; expected one of a, b'],
    ['none of several', z.enum(['a', 'b']), 'c', 'expected one of a, b, got "c"'],
    ['another constant', z.literal('babyai'), 'alfworld', 'expected babyai, got "alfworld"'],
    ['a text too long', z.string().max(2), 'abc', 'expected 2 or less characters'],
    ['a list too short', z.array(z.string()).min(1), [], 'expected 1 or more entries'],
    ['a key too many', z.strictObject({}), { one: 1 }, 'no such key: one'],
    [
      'a long text is counted and not repeated',
      z.number(),
      'x'.repeat(41),
      'expected a number, got a text of 41 characters',
    ],
  ])('%s', (_, schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  it('are those of the schema where it has its own', () => {
    expect(messageOf(z.string().min(1, 'expected a name'), '')).toBe('expected a name');
  });
});
