import type { ChartContent, ChartLine } from './chart-model';
import { hasValue, PLOT } from './chart-model';

/** Units of the picture's box each way; it is stretched over the plot. */
const SIDE = 1000;

/** The lines alone, at the place and scale at which the chart draws them: what is seen before any script has run. */
export function StaticLines({
  content,
  y: [low, high],
}: {
  content: ChartContent;
  y: readonly [number, number];
}) {
  const lastStep = Math.max(1, content.lastStep);
  const place = (step: number, value: number) =>
    `${Math.round((step / lastStep) * SIDE)} ${Math.round((1 - (value - low) / (high - low || 1)) * SIDE)}`;
  return (
    <div aria-hidden className="absolute" style={PLOT}>
      <svg
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        preserveAspectRatio="none"
        className="size-full border-b border-line"
      >
        {content.lines.filter(hasValue).map((line) => (
          <path
            key={line.id}
            d={pathOf(line, place)}
            fill="none"
            stroke={`var(--${line.color})`}
            strokeWidth={line.width}
            strokeOpacity={line.alpha ?? 1}
            strokeDasharray={line.dash?.join(' ')}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </div>
  );
}

/** A stroke through the values; a missing one breaks it. */
function pathOf({ steps, values }: ChartLine, place: (step: number, value: number) => string): string {
  let broken = true;
  return steps
    .map((step, index) => {
      const value = values[index] ?? null;
      const piece = value === null ? '' : `${broken ? 'M' : 'L'}${place(step, value)}`;
      broken = value === null;
      return piece;
    })
    .join('');
}
