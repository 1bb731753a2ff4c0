import { describe, expect, it } from 'vitest';
import type { ComparedCheckpoint } from '@/contract/compare';
import { compareTable, type CompareTable } from './compare-table';
import { aCheckpoint, aComparison, counted } from './compare-fixtures';
import { settingsChoices } from './settings-choice';

const CHOICE = {
  baseline: 'r-0001@0',
  decoding: 'sampled',
  settings: null,
  interval: 'wilson',
  holm: true,
  countsErrors: true,
  anyway: false,
} as const;
const hot = { temperature: 1, maxTurns: 10 };
const cool = { temperature: 0.4, maxTurns: 10 };

/** Both were evaluated at both temperatures, the later one at 1 on two splits. */
const checkpoints = [
  aCheckpoint(0, [counted(10, 40, hot), counted(20, 40, cool)]),
  aCheckpoint(40, [
    counted(30, 40, hot),
    counted(12, 40, { ...hot, split: 'valid_unseen' }),
    counted(35, 40, cool),
  ]),
];

function tableUnder(settings: string | null, compared: ComparedCheckpoint[]): CompareTable {
  const steps = compareTable(aComparison(compared), { ...CHOICE, settings });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const countsUnder = (settings: string | null, compared = checkpoints) =>
  tableUnder(settings, compared).rows.map(({ cells }) => cells.get('valid_seen')?.played.k);

describe('the settings that checkpoints were evaluated under', () => {
  it('are named by what sets them apart alone, those of most evaluations first', () => {
    expect(settingsChoices(checkpoints).map(({ words }) => words)).toEqual([
      'temperature 1',
      'temperature 0.4',
    ]);
    const shorter = aCheckpoint(80, [counted(1, 40, { ...cool, maxTurns: 5 })]);
    expect(settingsChoices([...checkpoints, shorter]).map(({ words }) => words)).toEqual([
      'temperature 1, at most 10 turns',
      'temperature 0.4, at most 10 turns',
      'temperature 0.4, at most 5 turns',
    ]);
  });

  it('are one where all are alike but for splits, tasks and seeds', () => {
    const alike = [counted(1, 40, hot), counted(1, 30, { ...hot, seed: 2, split: 'valid_unseen' })];
    expect(settingsChoices([aCheckpoint(0, alike)])).toHaveLength(1);
  });

  it('can be chosen: every checkpoint is counted under them', () => {
    const [one, other] = settingsChoices(checkpoints);
    expect(countsUnder(one?.key ?? '')).toEqual([10, 30]);
    expect(countsUnder(other?.key ?? '')).toEqual([20, 35]);
    expect(countsUnder('junk')).toEqual(countsUnder(null));
  });

  it('have a name in the address that does not change with what they are offered beside', () => {
    const cooler = settingsChoices(checkpoints)[1];
    const shorter = aCheckpoint(80, [counted(1, 40, { ...cool, maxTurns: 5 })]);
    const [, again] = settingsChoices([...checkpoints, shorter]);
    expect(again?.words).not.toBe(cooler?.words);
    expect(again?.key).toBe(cooler?.key);
  });

  it('are asked of each checkpoint, also where the baseline was not evaluated under them', () => {
    const base = aCheckpoint(0, [counted(20, 40, cool)]);
    const others = [base, ...checkpoints.slice(1)];
    const hotter = settingsChoices(others).find(({ words }) => words === 'temperature 1');
    expect(countsUnder(hotter?.key ?? '', others)).toEqual([undefined, 30]);
    expect(countsUnder(null, others)).toEqual([20, 35]);
  });

  it('leave out a split that no checkpoint was evaluated on under them', () => {
    const under = (words: string) => {
      const key = settingsChoices(checkpoints).find((each) => each.words === words)?.key ?? '';
      return tableUnder(key, checkpoints).splits;
    };
    expect(under('temperature 1')).toEqual(['valid_seen', 'valid_unseen']);
    expect(under('temperature 0.4')).toEqual(['valid_seen']);
  });
});
