/** One bar a turn, current turn in ink; a missing value leaves a gap. Values below zero hang from the axis. */
export function TurnBars({
  values,
  current,
  label,
  color = 'var(--ink-3)',
  height = 44,
}: {
  values: readonly (number | null)[];
  /** Index of the turn that is shown; -1 = none. */
  current: number;
  label: string;
  color?: string;
  height?: number;
}) {
  const finite = values.filter((value) => value !== null).filter(Number.isFinite);
  const bottom = Math.min(0, ...finite);
  const top = Math.max(0, ...finite);
  // Where all values are 0 the axis lies at the foot.
  const toY = (value: number) => (top === bottom ? height : ((top - value) / (top - bottom)) * height);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(values.length, 1)} ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      className="block"
    >
      {values.map((value, index) =>
        value === null || !Number.isFinite(value) ? null : (
          <rect
            key={index}
            x={index + 0.1}
            width={0.8}
            y={Math.min(toY(value), toY(0), height - 1)}
            height={Math.max(1, Math.abs(toY(value) - toY(0)))}
            fill={index === current ? 'var(--ink)' : color}
          />
        ),
      )}
      <line
        x1={0}
        x2={Math.max(values.length, 1)}
        y1={toY(0)}
        y2={toY(0)}
        stroke="var(--line-2)"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
