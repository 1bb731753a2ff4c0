import { describe, expect, it } from 'vitest';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { formatTable } from '@/components/export/table-formats';
import { exportTrajectories } from './trajectories-export';
import { aListed } from './trajectory-factory';

const query = TrajectoriesQuery.parse({ success: 'false', phase: 'probe', order: 'reward' });
const summary = { total: 150, isLowerBound: false, unindexedTurns: 0 };

describe('the exported list of trajectories', () => {
  it('names its filters, its order and how many of those that match were read', () => {
    const table = exportTrajectories([aListed('7')], { runId: 'r-0001', query, summary });
    expect(table.title).toBe('Trajectories, r-0001');
    expect(table.filters).toEqual([
      { name: 'filter phase', value: 'probe' },
      { name: 'filter success', value: 'false' },
      { name: 'order', value: 'reward' },
      { name: 'rows', value: '1 of 150 that match' },
    ]);
    const bounded = { total: 10_000, isLowerBound: true, unindexedTurns: 0 };
    expect(exportTrajectories([], { runId: null, query, summary: bounded }).filters.at(-1)?.value).toBe(
      '0 of more than 10,000 that match',
    );
    expect(exportTrajectories([], { runId: null, query, summary: undefined }).filters.at(-1)?.value).toBe(
      '0 of n/a that match',
    );
  });

  it('has a column once, a cell a column, and nothing where a source does not state a figure', () => {
    const row = aListed('7', { seed: null, replyTokens: null, shapedReward: null, flags: ['loop', 'other'] });
    const table = exportTrajectories([row], { runId: 'r-0001', query, summary });
    expect(table.rows[0]?.cells).toHaveLength(table.columns.length);
    expect(table.rows[0]?.values).toMatchObject({ seed: null, reply_tokens: null, flags: 'loop other' });
    const [head = ''] = formatTable(table, 'csv').split('\r\n');
    expect(new Set(head.split(',')).size).toBe(head.split(',').length);
    expect(formatTable(table, 'markdown')).toContain('n/a');
  });
});
