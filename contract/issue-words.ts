import type { z } from 'zod';

const SHOWN_TEXT = 40;

/**
 * What a wrong field is told: what would be valid, then what it got. Undefined leaves zod's own words; a message
 * given in a schema goes before both.
 */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `expected ${nounOf(issue.expected)}, got ${valueWords(issue.input)}`;
    case 'too_small': {
      const least = issue.inclusive === false ? `more than ${issue.minimum}` : `${issue.minimum} or more`;
      return `expected ${least}${sizeWords(issue)}`;
    }
    case 'too_big': {
      const most = issue.inclusive === false ? `less than ${issue.maximum}` : `${issue.maximum} or less`;
      return `expected ${most}${sizeWords(issue)}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ');
      const valid = issue.values.length === 1 ? values : `one of ${values}`;
      return issue.input === undefined
        ? `is missing; expected ${valid}`
        : `expected ${valid}, got ${valueWords(issue.input)}`;
    }
    case 'unrecognized_keys':
      return `no such ${issue.keys.length === 1 ? 'key' : 'keys'}: ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
}

function nounOf(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'array') return 'a list';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** Of a text or a list the bound is one of its size; of a number it is one of the value, which is then named. */
function sizeWords({ origin, input }: { origin: string; input?: unknown }): string {
  if (origin === 'string') return ' characters';
  if (origin === 'array' || origin === 'set') return ' entries';
  return `, got ${valueWords(input)}`;
}

function valueWords(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= SHOWN_TEXT ? JSON.stringify(value) : `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
