import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { GridPicture as Picture } from '@/contract/trajectory';
import { GridPicture } from './grid-picture';

const SIZE = 22;
const walls: Picture['objects'] = Array.from({ length: SIZE * SIZE }, (_, index) => ({
  x: index % SIZE,
  y: Math.floor(index / SIZE),
}))
  .filter(({ x, y }) => x % 7 === 0 || y % 7 === 0)
  .map(({ x, y }) => ({ x, y, type: 'wall', color: 'grey' }));
const picture: Picture = {
  kind: 'grid',
  width: SIZE,
  height: SIZE,
  objects: [
    ...walls,
    { x: 2, y: 3, type: 'ball', color: 'red', target: true },
    { x: 4, y: 3, type: 'door', color: 'blue', state: 'locked' },
  ],
  agent: { x: 5, y: 5, direction: 'left' },
  carrying: { type: 'key', color: 'yellow' },
  visible: '1'.repeat(30).padEnd(SIZE * SIZE, '0'),
};
const titles = (svg: HTMLElement) => [...svg.querySelectorAll('title')].map((title) => title.textContent);

afterEach(cleanup);

describe('grid picture', () => {
  it('says in words what it shows, as a whole and thing by thing', () => {
    render(<GridPicture picture={picture} />);
    const svg = screen.getByRole('img', { name: /22 by 22.*facing left, carries yellow key.*not in view/ });
    expect(titles(svg)).toEqual([
      'red ball, column 2, row 3',
      'blue locked door, column 4, row 3',
      'agent, facing left',
      'carries yellow key',
    ]);
  });

  it('rings targets alone with dashes', () => {
    const { container } = render(<GridPicture picture={picture} />);
    expect(container.querySelectorAll('[stroke-dasharray]')).toHaveLength(1);
  });

  it('draws a grid of 22 by 22 with few nodes, however many walls and hidden cells it has', () => {
    const { container } = render(<GridPicture picture={picture} />);
    expect(walls.length).toBeGreaterThan(100);
    expect(container.querySelectorAll('svg *').length).toBeLessThan(40);
  });

  it('draws the part it is asked for, to scale', () => {
    render(<GridPicture picture={picture} size={200} crop={{ x: 1, y: 2, width: 10, height: 5 }} />);
    const svg = screen.getByRole('img');
    expect(svg.getAttribute('viewBox')).toBe('1 2 10 5');
    expect([svg.getAttribute('width'), svg.getAttribute('height')]).toEqual(['200', '100']);
  });
});
