import { describe, expect, it } from 'vitest';
import type { Pair } from '@/contract/pair';
import { aTrajectory, aTurn } from '@/components/trajectory/trajectory-factory';
import { buildPairModel, foldRows, listLoops, loopRows, positionAt } from './pair-model';

/** A side from turns as `action@state`, `!` before an action that is not in the list. */
function sideOf(text: string, step: number): Pair['a'] {
  const turns = text.split(' ').map((move, index) => {
    const [action = '', stateHash = ''] = move.split('@');
    const offered = !action.startsWith('!');
    const name = action.replace('!', '');
    return aTurn({
      index,
      action: name,
      stateHash,
      admissible: offered,
      valid: offered,
      availableActions: offered ? [name] : [],
      picture: null,
    });
  });
  return {
    runId: 'r',
    runName: 'run',
    checkpointRun: null,
    step,
    played: { id: `t${step}`, trajectory: aTrajectory({ step, turns }) },
    samples: [],
    noiseFloor: null,
  };
}

function pairOf(a: string, b: string): Pair {
  return {
    taskId: 'babyai/GoToLocal/1',
    taskType: 'goto',
    goal: 'go to the red ball',
    a: sideOf(a, 0),
    b: sideOf(b, 10),
  };
}

const write = (model: ReturnType<typeof buildPairModel>, current: number) =>
  foldRows(model, current)
    .map((entry) => (entry.kind === 'row' ? String(entry.row) : `(${entry.first}-${entry.last})`))
    .join(' ');

describe('a pair', () => {
  it('knows where each side stands at every row, also where it waits or has ended', () => {
    const { rows } = buildPairModel(pairOf('left@1 fly@2 go@2 end@3', 'left@1 go@2'));
    expect(rows.map((row) => row.relation)).toEqual(['equal', 'only_a', 'equal', 'only_a']);
    expect([0, 1, 2, 3].map((row) => positionAt(rows, row, 'a'))).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].map((row) => positionAt(rows, row, 'b'))).toEqual([0, 1, 1, 2]);
  });

  it('has no divergence while a side is missing', () => {
    const pair = pairOf('left@1', 'left@1');
    const model = buildPairModel({ ...pair, b: { ...pair.b, played: null } });
    expect(model.b.played).toBeNull();
    expect(model.rows).toEqual([{ a: 0, b: null, relation: 'only_a' }]);
    expect(model.firstDivergence).toBeNull();
    expect(model.divergences).toEqual([]);
  });

  it('names each loop once and finds its rows', () => {
    const model = buildPairModel(pairOf('left@1 go@2', 'left@1 !x@2 !x@2 !x@2'));
    const [loop, ...others] = listLoops(model.b);
    expect(others).toEqual([]);
    expect(loop).toMatchObject({ start: 1, end: 4, repeats: 3 });
    expect(loop && loopRows(model.rows, 'b', loop)).toEqual({ first: 1, last: 3 });
    expect(listLoops(model.a)).toEqual([]);
  });
});

describe('folding of loops', () => {
  const loop = Array.from({ length: 12 }, () => '!x@2').join(' ');
  const model = buildPairModel(pairOf('left@1 go@2', `left@1 ${loop}`));

  it('hides the middle of a long loop', () => {
    expect(model.rows).toHaveLength(13);
    expect(write(model, 1)).toBe('0 1 2 3 4 (5-10) 11 12');
  });

  it('shows everything while the current row is inside', () => {
    expect(write(model, 7)).toBe('0 1 2 3 4 5 6 7 8 9 10 11 12');
  });

  it('folds nothing where no loop is', () => {
    expect(write(buildPairModel(pairOf('a@1 b@2 c@3', 'a@1 b@2 d@3')), 0)).toBe('0 1 2');
  });
});
