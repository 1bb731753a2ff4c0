import { describe, expect, it } from 'vitest';
import { ReportChange, type ReportBlock } from '@/contract/report';
import { emptyBlock, readCompareQuery, readIds, readPairAddress, withMoved } from './block-list';

const text = (id: string): ReportBlock => ({ id, kind: 'text', text: id });

describe('the blocks of a report', () => {
  it('begin empty, each under an id of its own, and can be stored so', () => {
    let blocks: ReportBlock[] = [text('b2')];
    for (const kind of ['text', 'evaluations', 'chart', 'compare', 'pair'] as const)
      blocks = [...blocks, emptyBlock(kind, blocks)];
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(6);
    expect(ReportChange.safeParse({ revision: 1, title: 'a', blocks }).success).toBe(true);
  });

  it('move by a place, and stay where there is none', () => {
    const blocks = ['a', 'b', 'c'].map(text);
    const order = (moved: readonly ReportBlock[]) => moved.map(({ id }) => id).join('');
    expect(order(withMoved(blocks, 2, -1))).toBe('acb');
    expect(order(withMoved(blocks, 0, 1))).toBe('bac');
    expect(withMoved(blocks, 0, -1)).toBe(blocks);
    expect(withMoved(blocks, 2, 1)).toBe(blocks);
  });
});

describe('what is typed into a block', () => {
  it('names runs between commas or spaces', () => {
    expect(readIds(' r-0001, r-0002 r-0001,,')).toEqual(['r-0001', 'r-0002']);
  });

  it('is the address of a comparison, or nothing', () => {
    const query = 'c=r-0001%400&c=r-0001%4040';
    expect(readCompareQuery(`http://127.0.0.1:4700/compare?${query}`)).toBe(query);
    expect(readCompareQuery(query)).toBe(query);
    expect(readCompareQuery('http://127.0.0.1:4700/runs')).toBe('');
  });

  it('is the address of a pair, or nothing', () => {
    expect(readPairAddress('/pair?a=12&b=13&t=4')).toEqual({ a: '12', b: '13' });
    expect(readPairAddress('/pair?a=12')).toBeNull();
  });
});
