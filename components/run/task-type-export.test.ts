import { describe, expect, it } from 'vitest';
import { formatTable } from '@/components/export/table-formats';
import { anEvaluationRow } from './fixtures';
import { exportTaskTypeTable } from './task-type-export';

describe('the exported table of task types', () => {
  const rows = [anEvaluationRow({ step: 0 }), anEvaluationRow({ step: 10, successes: 90, byTaskType: [] })];

  it('has a row a type and one of all, with what was not evaluated as missing', () => {
    const csv = formatTable(exportTaskTypeTable('r-0001', rows, ['valid_seen'], 'sampled'), 'csv');
    expect(csv.split('\r\n').slice(1, 4)).toEqual([
      expect.stringMatching(/^valid_seen,GoToLocalS8N7,40,60,10,,,,,,,r-0001,sampled,/),
      expect.stringMatching(/^valid_seen,Open,10,40,10,,/),
      expect.stringMatching(/^valid_seen,all,50,100,10,90,100,0\.4,0\.2\d+,0\.5\d*,higher,/),
    ]);
  });
});
