import { describe, expect, it } from 'vitest';
import type { Pair } from '@/contract/pair';
import recorded from '@/e2e/fixtures/recorded-pairs.json';
import { recordPair, SCRIPTS } from '@/e2e/fixtures/record-pair';
import { buildPairModel, listLoops } from './pair-model';

const unlock = recordPair(SCRIPTS.unlock);
const goTo = recordPair(SCRIPTS.goTo);
const verdictsOf = (pair: Pair, side: 'a' | 'b') =>
  buildPairModel(pair)[side].played?.marks.map((mark) => mark.verdict);

describe('recorded pairs', () => {
  it('are what the environment plays today', () => {
    expect({ unlock, goTo }).toEqual(recorded);
  });

  it('part at turn 3, where the earlier checkpoint tries a door that is not there', () => {
    const model = buildPairModel(unlock);
    expect(model.firstDivergence).toBe(2);
    expect(model.rows.slice(0, 4).map((row) => row.relation)).toEqual([
      'equal',
      'equal',
      'different',
      'different',
    ]);
    expect(model.rows).toHaveLength(10);
  });

  it('show the earlier side looping on an action that is not in the list, the later one winning', () => {
    const model = buildPairModel(unlock);
    expect(verdictsOf(unlock, 'a')).toEqual(['in_list', 'in_list', ...Array(8).fill('not_in_list')]);
    expect(listLoops(model.a)).toEqual([{ start: 2, end: 10, period: 1, repeats: 8 }]);
    expect(verdictsOf(unlock, 'b')).toEqual(['in_list', 'in_list', 'in_list', 'in_list']);
    expect(listLoops(model.b)).toEqual([]);
    expect([unlock.a, unlock.b].map((side) => side.played?.trajectory.success)).toEqual([false, true]);
  });

  it('part at the first turn where the later checkpoint looks around first', () => {
    const model = buildPairModel(goTo);
    expect(model.firstDivergence).toBe(0);
    expect(listLoops(model.a)).toEqual([{ start: 0, end: 10, period: 1, repeats: 10 }]);
    expect(goTo.b.played?.trajectory.turns.map((turn) => turn.action)).toEqual([
      'turn left',
      'go to blue box 1',
    ]);
  });
});
