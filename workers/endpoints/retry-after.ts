/** Longest wait that a header may ask for, in ms. */
const LONGEST_MS = 10 * 60_000;

/**
 * How long an answer asks to be left alone, in ms; 0 where it does not. `retry-after-ms`, else `retry-after` as seconds or
 * as a date (RFC 9110, 10.2.3). At most ten minutes. `now` is in ms since 1970.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, now: number): number {
  const asked = [
    numberIn(headers.get('retry-after-ms')),
    numberIn(headers.get('retry-after')) * 1000,
    Date.parse(headers.get('retry-after') ?? '') - now,
  ].find(Number.isFinite);
  return Math.min(Math.max(asked ?? 0, 0), LONGEST_MS);
}

/** A plain number without sign: `Date.parse` takes others for years. */
function numberIn(header: string | null): number {
  return header !== null && /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : NaN;
}
