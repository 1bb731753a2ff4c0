import type { RateEstimate } from './played';

const WIDTH = 156;
const HEIGHT = 18;
const MARGIN = 10;

/** The span of fractions that a column of whiskers shares, in tenths, so that rows line up. */
export interface WhiskerScale {
  low: number;
  high: number;
}

export function whiskerScale(rates: readonly RateEstimate[]): WhiskerScale {
  const low = Math.min(1, ...rates.map((rate) => rate.low));
  const high = Math.max(0, ...rates.map((rate) => rate.high));
  return { low: Math.floor(low * 10) / 10, high: Math.max(Math.ceil(high * 10) / 10, low + 0.1) };
}

/** A fraction with its interval on a shared axis, and the baseline's fraction dashed behind it. */
export function IntervalWhisker({
  rate,
  scale,
  baseline,
  color,
}: {
  rate: RateEstimate;
  scale: WhiskerScale;
  baseline: number | null;
  color: string;
}) {
  const x = (fraction: number) => xOf(fraction, scale);
  const middle = HEIGHT / 2;
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {baseline !== null && (
        <line
          x1={x(baseline)}
          x2={x(baseline)}
          y1={0}
          y2={HEIGHT}
          stroke="var(--ink-3)"
          strokeDasharray="2 2"
        />
      )}
      <path
        d={`M${x(rate.low)} ${middle}H${x(rate.high)}M${x(rate.low)} ${middle - 3}v6M${x(rate.high)} ${middle - 3}v6`}
        stroke={color}
        strokeWidth={1.5}
      />
      <circle cx={x(rate.fraction)} cy={middle} r={3.6} fill={color} />
    </svg>
  );
}

/** The axis above a column of whiskers, in percent. */
export function WhiskerAxis({ scale }: { scale: WhiskerScale }) {
  const tenths = Math.round((scale.high - scale.low) * 10);
  const every = Math.max(1, Math.ceil(tenths / 4));
  const ticks = Array.from(
    { length: Math.floor(tenths / every) + 1 },
    (_, index) => scale.low + (index * every) / 10,
  );
  return (
    <svg width={WIDTH} height={12} viewBox={`0 0 ${WIDTH} 12`} aria-hidden="true">
      {ticks.map((tick) => (
        <text key={tick} x={xOf(tick, scale)} y={10} textAnchor="middle" fontSize={10} fill="var(--ink-3)">
          {Math.round(tick * 100)}
        </text>
      ))}
    </svg>
  );
}

function xOf(fraction: number, { low, high }: WhiskerScale): number {
  return Math.round((MARGIN + ((fraction - low) / (high - low)) * (WIDTH - 2 * MARGIN)) * 10) / 10;
}
