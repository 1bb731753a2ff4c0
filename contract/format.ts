/** One formatter per unit. A missing value reads `n/a`, never 0. */
export const MISSING = 'n/a';

/** `0.8125` -> `81.3`, for columns whose header names the unit. */
export function formatPercent(fraction: number | null | undefined): string {
  return fraction === null || fraction === undefined || Number.isNaN(fraction)
    ? MISSING
    : (fraction * 100).toFixed(1);
}

/** `80/140 57.1 [48.9, 65.0]`: a count, its percent and the interval's bounds in percent. */
export function formatRate(k: number, n: number, interval: { low: number; high: number }): string {
  return n === 0
    ? MISSING
    : `${k}/${n} ${formatPercent(k / n)} [${formatPercent(interval.low)}, ${formatPercent(interval.high)}]`;
}

/** `+6.4 pp [−2.1, 14.7]`: a difference of two fractions with its interval, in percentage points. */
export function formatDifference({
  difference,
  low,
  high,
}: {
  difference: number;
  low: number;
  high: number;
}): string {
  return `${formatSigned(difference * 100, 1)} pp [${formatDecimals(low * 100, 1)}, ${formatDecimals(high * 100, 1)}]`;
}

/** `0.970`, `−0.032`: as many decimals in every row of a column, a true minus, and no minus before a zero. */
export function formatDecimals(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return MISSING;
  if (!Number.isFinite(value)) return String(value);
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** `+0.37`, `−0.05`, `0.00`: `formatDecimals` with the sign of a gain; what rounds to zero has none. */
export function formatSigned(value: number | null | undefined, decimals: number): string {
  const text = formatDecimals(value, decimals);
  return value !== null && value !== undefined && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** `0.970`: a reward, with the decimals that tell two rewards apart. */
export function formatReward(value: number | null | undefined): string {
  return formatDecimals(value, 3);
}

/** Four significant digits, exponents outside 1e-4..1e6; `NaN` and infinities by name. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) return value.toExponential(2);
  if (Number.isInteger(value)) return formatCount(value);
  return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(4)));
}

/** Counts with thin commas: `63,488`. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? MISSING : Math.round(value).toLocaleString('en-US');
}

/** `1,613.71`, `0.0042`: an amount with two decimals, below one with two significant digits. */
export function formatAmount(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const decimals = size === 0 || size >= 1 ? 2 : Math.max(2, 1 - Math.floor(Math.log10(size)));
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return value.toLocaleString('en-US', digits).replace('-', '−');
}

/** `843.51`: a count of tokens in millions, as `formatAmount` has it. */
export function formatMillions(tokens: number | null | undefined): string {
  return formatAmount(tokens === null || tokens === undefined ? tokens : tokens / 1e6);
}

/** `7 h 38 m`, `2 m 05 s`, `14 s`. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return MISSING;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}

/** `2 s ago`, `5 m ago`, `3 h ago`, `4 d ago`. */
export function formatAgo(thenMs: number | null | undefined, nowMs: number): string {
  if (thenMs === null || thenMs === undefined) return MISSING;
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** `1.8 MB`, `14 kB`, decimal prefixes. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return MISSING;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
