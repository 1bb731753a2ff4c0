import { memo } from 'react';
import type { GridPicture as Picture } from '@/contract/trajectory';
import type { GridCrop } from './grid-crop';
import { GridThing } from './grid-objects';
import { gridLabel, isVisible, nameObject } from './grid-words';

const TURN_DEGREES = { right: 0, down: 90, left: 180, up: 270 } as const;

interface GridPictureProps {
  picture: Picture;
  /** Longest side in CSS pixels. */
  size?: number;
  /** The part that is drawn; by default the whole grid. */
  crop?: GridCrop | null;
}

/**
 * A grid world from above, a cell a unit: what is out of view is shaded, targets are ringed with dashes. Walls,
 * floor and shade are one path each, so a grid of 22 by 22 costs no more nodes than its objects.
 */
export const GridPicture = memo(function GridPicture({ picture, size = 212, crop }: GridPictureProps) {
  const { width, height, agent } = picture;
  const walls = picture.objects.filter((object) => object.type === 'wall');
  const things = picture.objects.filter((object) => object.type !== 'wall');
  const hidden = Array.from({ length: width * height }, (_, index) => ({
    x: index % width,
    y: Math.floor(index / width),
  })).filter(({ x, y }) => !isVisible(picture, x, y));
  const part = crop ?? { x: 0, y: 0, width, height };
  const scale = size / Math.max(part.width, part.height);
  return (
    <svg
      role="img"
      aria-label={gridLabel(picture)}
      viewBox={`${part.x} ${part.y} ${part.width} ${part.height}`}
      width={part.width * scale}
      height={part.height * scale}
      className="block max-w-full shrink-0"
    >
      <rect width={width} height={height} fill="var(--g-seen)" />
      <path d={squares(walls)} fill="var(--g-wall)" />
      <path d={squares(hidden)} fill="var(--g-fog)" fillOpacity={0.72} />
      <path
        d={gridLines(width, height)}
        stroke="var(--line)"
        strokeWidth={0.5}
        vectorEffect="non-scaling-stroke"
      />
      {things.map((object) => (
        <g key={`${object.x},${object.y}`} transform={`translate(${object.x} ${object.y})`}>
          <title>{`${nameObject(object)}, column ${object.x}, row ${object.y}`}</title>
          <GridThing {...object} />
          {object.target ? <TargetRing /> : null}
        </g>
      ))}
      <g transform={`translate(${agent.x} ${agent.y})`}>
        <title>{`agent, facing ${agent.direction}`}</title>
        <path
          d="M.2 .2L.84 .5L.2 .8L.32 .5Z"
          fill="var(--ink)"
          transform={`rotate(${TURN_DEGREES[agent.direction]} .5 .5)`}
        />
        {picture.carrying ? <Carried carrying={picture.carrying} /> : null}
      </g>
    </svg>
  );
});

function TargetRing() {
  return (
    <circle
      cx={0.5}
      cy={0.5}
      r={0.44}
      fill="none"
      stroke="var(--ink)"
      strokeWidth={1.2}
      strokeDasharray="2.5 2"
      vectorEffect="non-scaling-stroke"
    />
  );
}

/** What the agent holds, small, at the corner of its cell. */
function Carried({ carrying }: { carrying: NonNullable<Picture['carrying']> }) {
  return (
    <g transform="translate(.6 -.14) scale(.46)">
      <title>{`carries ${carrying.color} ${carrying.type}`}</title>
      <circle cx={0.5} cy={0.5} r={0.5} fill="var(--surface)" stroke="var(--line-2)" strokeWidth={0.06} />
      <GridThing {...carrying} />
    </g>
  );
}

function squares(cells: readonly { x: number; y: number }[]): string {
  return cells.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('');
}

function gridLines(width: number, height: number): string {
  const columns = Array.from({ length: width - 1 }, (_, index) => `M${index + 1} 0v${height}`);
  const rows = Array.from({ length: height - 1 }, (_, index) => `M0 ${index + 1}h${width}`);
  return [...columns, ...rows].join('');
}
