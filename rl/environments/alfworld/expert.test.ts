import { describe, expect, it } from 'vitest';
import { compileGame } from './alfworld';
import { AlfWorldEpisode } from './episode';
import { alfWorldExpert } from './expert';
import { LogicCache } from './logic';
import { SMALL_PROBLEM, smallGameText, smallProblem } from './testing/small-game';

const task = { id: 'small', taskType: 'small', split: 'train' } as const;

function start(problem: string): AlfWorldEpisode<typeof task> {
  const game = compileGame(smallGameText({ pddl_problem: problem }), 'small', null, new LogicCache());
  return new AlfWorldEpisode(task, game, { maxTurns: null });
}

function planAfter(problem: string, ...commands: readonly string[]) {
  const episode = start(problem);
  for (const command of commands) expect(episode.step(command).valid).toBe(true);
  const before = episode.stateHash();
  const plan = alfWorldExpert.plan(episode);
  expect(episode.stateHash()).toBe(before);
  return plan;
}

describe('alfWorldExpert', () => {
  it('fetches and brings', () => {
    expect(planAfter(smallProblem('place')).actions).toEqual([
      'go to drawer 1',
      'open drawer 1',
      'take mug 2 from drawer 1',
      'go to shelf 2',
      'put mug 2 in/on shelf 2',
    ]);
  });

  it('leaves out what is done already', () => {
    const inHand = ['go to drawer 1', 'open drawer 1', 'take mug 1 from drawer 1'];
    expect(planAfter(smallProblem('heat'), ...inHand).actions).toHaveLength(4);
    expect(
      planAfter(smallProblem('heat'), ...inHand, 'go to oven 1', 'heat mug 1 with oven 1').actions,
    ).toEqual(['go to shelf 2', 'put mug 1 in/on shelf 2']);
  });

  it('brings two into the same receptacle', () => {
    const { actions } = planAfter(smallProblem('two'));
    expect(actions).toHaveLength(9);
    expect(
      new Set(actions?.filter((action) => action.startsWith('put')).map((action) => action.slice(-7))).size,
    ).toBe(1);
  });

  it('lights a lamp with the object in the hand, and not twice', () => {
    expect(planAfter(smallProblem('light')).actions).toHaveLength(5);
    expect(planAfter(smallProblem('light'), 'go to desk 1', 'use desklamp 1').actions).toEqual([
      'go to drawer 1',
      'open drawer 1',
      'take mug 2 from drawer 1',
      'go to desk 1',
    ]);
  });

  it('empties a full hand where it stands or where it must go', () => {
    const problem = SMALL_PROBLEM.replace(
      '(canContain ShelfType MugType)',
      '(canContain ShelfType MugType) (canContain OvenType PanType)',
    );
    const { actions } = planAfter(problem, 'go to shelf 2', 'take pan 1 from shelf 2');
    expect(actions?.slice(0, 2)).toEqual(['go to oven 1', 'put pan 1 in/on oven 1']);
    expect(actions).toHaveLength(7);
  });

  it('proves that nothing can win with a hand that cannot be emptied', () => {
    expect(planAfter(SMALL_PROBLEM, 'go to shelf 2', 'take pan 1 from shelf 2')).toEqual({
      actions: null,
      proven: true,
      reason:
        'none of mug 2, mug 1 can be fetched, treated and brought: pan 1 is in the hand, and no receptacle takes it',
    });
  });

  it('takes an object out of one of its two receptacles where it stays in the other', () => {
    const both = smallProblem('heat').replace(
      '(inReceptacle Pan_bar_1',
      '(inReceptacle Mug_bar_1 Shelf_bar_2) (inReceptacle Pan_bar_1',
    );
    expect(planAfter(both).actions).toEqual([
      'go to drawer 1',
      'open drawer 1',
      'take mug 2 from drawer 1',
      'go to oven 1',
      'heat mug 2 with oven 1',
    ]);
  });

  it('has nothing to do in a game that is won', () => {
    const won = SMALL_PROBLEM.replace(
      '(inReceptacle Pan_bar_1',
      '(inReceptacle Mug_bar_1 Shelf_bar_2) (inReceptacle Pan_bar_1',
    );
    expect(planAfter(won).actions).toEqual([]);
  });
});
