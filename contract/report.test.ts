import { describe, expect, it } from 'vitest';
import { citationsOf, ReportChange, type ReportBlock } from './report';

const text = (words: string): ReportBlock => ({ id: 'a', kind: 'text', text: words });

describe('what a report cites', () => {
  it('are the runs of tables and charts, the checkpoints of comparisons and the trajectories of pairs', () => {
    const blocks: ReportBlock[] = [
      { id: 'a', kind: 'evaluations', runs: ['r-0001', 'r-0002'], split: null, decoding: null },
      { id: 'b', kind: 'chart', runs: ['r-0002'], series: 'reward/mean' },
      { id: 'c', kind: 'compare', query: 'c=r-0003%400&c=r-0003%4040&c=nothing&holm=off' },
      { id: 'd', kind: 'pair', a: '12', b: '' },
    ];
    expect(citationsOf(blocks)).toEqual({
      runs: ['r-0001', 'r-0002'],
      checkpoints: [
        { runId: 'r-0003', step: 0 },
        { runId: 'r-0003', step: 40 },
      ],
      trajectories: ['12'],
    });
  });

  it('are what a text links to, and no other address', () => {
    const words =
      'See [it](/runs/r-0007?at=3), [turn](/trajectories/31#turn-2), /runs/r-0008 and [out](https://host/runs/r-0009).';
    expect(citationsOf([text(words)])).toEqual({ runs: ['r-0007'], checkpoints: [], trajectories: ['31'] });
  });
});

describe('a change of a report', () => {
  it('has a title, and each block once', () => {
    const valid = { revision: 1, title: ' Findings ', blocks: [text('a')] };
    expect(ReportChange.parse(valid).title).toBe('Findings');
    expect(ReportChange.safeParse({ ...valid, title: ' ' }).success).toBe(false);
    expect(ReportChange.safeParse({ ...valid, blocks: [text('a'), text('b')] }).success).toBe(false);
  });
});
