import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RunRecord } from './record';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-record-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

it('writes each event as a line and each point as a row, with paths that move with the folder', () => {
  const record = new RunRecord(join(dir, 'run'));
  record.write({ kind: 'points:measured', step: 1, points: [{ name: 'reward/mean', value: 'NaN' }] }, 5);
  record.write({ kind: 'checkpoint:written', step: 1, parentStep: null, dir: record.checkpointDir(1) }, 6);
  record.close();
  const lines = readFileSync(join(dir, 'run/events.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      at: 5,
      event: { kind: 'points:measured', step: 1, points: [{ name: 'reward/mean', value: 'NaN' }] },
    },
    {
      at: 6,
      event: { kind: 'checkpoint:written', step: 1, parentStep: null, dir: 'checkpoints/step-000001' },
    },
  ]);
  expect(readFileSync(join(dir, 'run/metrics.csv'), 'utf8')).toBe('step,name,value\n1,reward/mean,NaN\n');
});

it('never writes over an earlier run', () => {
  new RunRecord(dir).close();
  expect(() => new RunRecord(dir)).toThrow('EEXIST');
});
