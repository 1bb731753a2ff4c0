import { describe, expect, it } from 'vitest';
import type { ChartContent } from './chart-model';
import { chartSvg, escapeXml, ticksWithin, type ChartPicture } from './chart-svg';

const CONTENT: ChartContent = {
  lines: [
    {
      id: 'valid_seen sampled',
      steps: [0, 10, 20, 30],
      values: [0, 1, null, 0.5],
      color: 'c1',
      width: 1.6,
      dots: true,
    },
    {
      id: 'training',
      steps: [0, 30],
      values: [0.5, 0.5],
      color: 'ink-3',
      width: 1,
      alpha: 0.7,
      dash: [4, 2],
    },
  ],
  band: { steps: [0, 30], lows: [0, 0], highs: [1, 1] },
  whiskers: [{ step: 10, low: 0.8, high: 1, color: 'c1' }],
  references: [{ value: 0.25, label: 'random 25.0' }],
  nonFinite: [{ step: 20, count: 3 }],
  resumes: [{ step: 10, label: 'resumed' }],
  reachedStep: 30,
  lastStep: 30,
  pinnedStep: null,
};

const picture = (changes: Partial<ChartPicture> = {}): string =>
  chartSvg({
    title: 'Success by split',
    caption: 'r-0001',
    content: CONTENT,
    x: [0, 30],
    y: [0, 1],
    formatY: (value) => `${value * 100}`,
    color: (token) => `token-${token}`,
    ...changes,
  });

describe('a chart as SVG', () => {
  it('is well-formed, with title, caption, legend and axes', () => {
    const svg = new DOMParser().parseFromString(picture(), 'image/svg+xml');
    expect(svg.querySelector('parsererror')).toBeNull();
    const words = [...svg.querySelectorAll('text')].map((each) => each.textContent);
    expect(words).toEqual(
      expect.arrayContaining([
        'Success by split',
        'r-0001',
        'valid_seen sampled',
        'training',
        '80',
        '30',
        'step',
        'random 25.0',
      ]),
    );
  });

  it('draws every value at its place and breaks the line where one is missing', () => {
    // The plot is 872 wide from 64 and 408 high from 84.
    expect(picture()).toContain('d="M64 492L354.67 84M936 288" fill="none" stroke="token-c1"');
    expect(picture().match(/<circle/g)).toHaveLength(3);
    expect(picture()).toContain('M354.67 165.6V84');
    expect(picture()).toContain('3 not finite at step 20');
  });

  it('shows a single point, through which no line goes', () => {
    const lines = [{ id: 'raw', steps: [5], values: [0.5], color: 'ink-2', width: 1 }];
    expect(picture({ content: { ...CONTENT, lines } }).match(/<circle/g)).toHaveLength(1);
  });

  it('leaves a line without a value out of the legend', () => {
    const empty = { id: 'training', steps: [0, 30], values: [null, null], color: 'ink-3', width: 1 };
    expect(picture({ content: { ...CONTENT, lines: [empty] } })).not.toContain('training');
  });

  it('holds a title that is no XML', () => {
    const title = 'a < b & "c"\u0000';
    const svg = new DOMParser().parseFromString(picture({ title }), 'image/svg+xml');
    expect(svg.querySelector('title')?.textContent).toBe('a < b & "c"');
    expect(escapeXml('\u001b[1m>')).toBe('[1m&gt;');
  });
});

describe('ticks', () => {
  it.each<[[number, number], number[]]>([
    [
      [0, 1],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
    ],
    [
      [-0.3, 0.4],
      [-0.2, 0, 0.2, 0.4],
    ],
    [
      [0, 120],
      [0, 20, 40, 60, 80, 100, 120],
    ],
    [[3, 3], [3]],
  ])('within %o are round numbers', (bounds, ticks) => {
    expect(ticksWithin(bounds)).toEqual(ticks);
  });
});
