import { expect, it } from 'vitest';
import { hiddenWords } from './alert';

it.each([
  ['val-core/alfworld/pass@1', '= 1.0 always', 'hidden: pass@1 = 1.0 always'],
  ['critic/score/min', '= 0 always', 'hidden: score/min = 0 always'],
  ['pass@1', 'hard-coded', 'hidden: pass@1, hard-coded'],
])('names %s, marked “%s”, as %s', (name, reason, words) => {
  expect(hiddenWords({ name, reason })).toBe(words);
});
