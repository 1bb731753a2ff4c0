import type { GridPicture } from '@/contract/trajectory';

type GridObject = GridPicture['objects'][number];

const OBJECT_COLORS: Record<string, string> = {
  red: 'var(--o-red)',
  green: 'var(--o-green)',
  blue: 'var(--o-blue)',
  purple: 'var(--o-purple)',
  yellow: 'var(--o-yellow)',
  grey: 'var(--o-grey)',
};

/** A thing on the grid, drawn in the unit square at the origin. Walls are drawn as one path by the grid itself. */
export function GridThing({ type, color, state }: Pick<GridObject, 'color' | 'state'> & { type: string }) {
  const paint = OBJECT_COLORS[color] ?? 'var(--ink-3)';
  switch (type) {
    case 'ball':
      return <circle cx={0.5} cy={0.5} r={0.29} fill={paint} />;
    case 'box':
      return (
        <g fill="none" stroke={paint} strokeWidth={0.09}>
          <rect x={0.22} y={0.22} width={0.56} height={0.56} />
          <path d="M.22 .5h.56" />
        </g>
      );
    case 'key':
      return (
        <g fill="none" stroke={paint} strokeWidth={0.085} strokeLinecap="round">
          <circle cx={0.38} cy={0.38} r={0.14} />
          <path d="M.49 .49L.76 .76M.67 .67L.76 .57" />
        </g>
      );
    case 'door':
      return <Door paint={paint} state={state ?? 'closed'} />;
    case 'goal':
      return <rect width={1} height={1} fill="var(--o-green)" opacity={0.55} />;
    case 'lava':
      return (
        <path
          d="M.1 .35q.2-.2 .4 0t.4 0M.1 .65q.2-.2 .4 0t.4 0"
          fill="none"
          stroke="var(--o-red)"
          strokeWidth={0.09}
        />
      );
    default:
      return null;
  }
}

/** Open: a frame with the leaf folded aside. Closed: a leaf with a knob. Locked: a solid leaf with a keyhole. */
function Door({ paint, state }: { paint: string; state: 'open' | 'closed' | 'locked' }) {
  if (state === 'open')
    return (
      <g fill="none" stroke={paint} strokeWidth={0.07}>
        <rect x={0.06} y={0.06} width={0.88} height={0.88} strokeDasharray=".14 .1" />
        <rect x={0.1} y={0.1} width={0.12} height={0.8} fill={paint} />
      </g>
    );
  const locked = state === 'locked';
  return (
    <g>
      <rect x={0.02} y={0.02} width={0.96} height={0.96} fill="var(--g-seen)" />
      <rect
        x={0.1}
        y={0.1}
        width={0.8}
        height={0.8}
        fill={paint}
        fillOpacity={locked ? 1 : 0.22}
        stroke={paint}
        strokeWidth={0.08}
      />
      {locked ? (
        <path d="M.5 .36a.1 .1 0 1 1-.01 0M.46 .5h.08l.05 .2h-.18z" fill="var(--g-seen)" />
      ) : (
        <circle cx={0.74} cy={0.5} r={0.07} fill={paint} />
      )}
    </g>
  );
}
