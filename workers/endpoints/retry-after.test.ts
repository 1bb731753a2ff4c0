import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30_000],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  // Past dates, nonsense and no header ask for nothing; a day is held to ten minutes.
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': 'soon' }, 0],
  [{}, 0],
  [{ 'retry-after': '86400' }, 600_000],
])('reads %j as %i ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
});
