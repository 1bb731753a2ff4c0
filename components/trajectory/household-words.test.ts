import { describe, expect, it } from 'vitest';
import { aHousehold, aReceptacle } from './household-factory';
import { householdWords, stageState, stageWords } from './household-words';

describe('words of a household', () => {
  it('say where the agent is, what it holds and where each target is', () => {
    expect(householdWords(aHousehold())).toEqual({
      agent: 'at countertop 1',
      holds: 'nothing',
      targets: 'apple 1 at countertop 1; apple 2 at fridge 1, closed',
      targetsHidden: false,
    });
  });

  it('find a target in the hand, and one that is nowhere', () => {
    const picture = aHousehold({ holding: 'apple 1', targets: ['apple 1', 'apple 9'] });
    expect(householdWords(picture)).toMatchObject({
      holds: 'apple 1',
      targets: 'apple 1 in hand; apple 9 nowhere in the picture',
      targetsHidden: false,
    });
  });

  it('call targets hidden where all of them are shut in', () => {
    const receptacles = [aReceptacle('fridge 1', { state: 'closed', contents: ['apple 1'] })];
    expect(householdWords(aHousehold({ receptacles, targets: ['apple 1'] }))).toMatchObject({
      agent: 'at no receptacle',
      targets: 'apple 1 at fridge 1, closed',
      targetsHidden: true,
    });
    expect(householdWords(aHousehold({ targets: [] }))).toMatchObject({
      targets: 'no object of the kind',
      targetsHidden: false,
    });
  });

  it('count a stage only where it is taken more than once', () => {
    const stages = [
      { stage: 'taken', done: 0, of: 1 },
      { stage: 'taken', done: 1, of: 2 },
      { stage: 'placed', done: 2, of: 2 },
    ] as const;
    expect(stages.map((stage) => [stageWords(stage), stageState(stage)])).toEqual([
      ['taken', 'open'],
      ['taken 1 of 2', 'begun'],
      ['placed 2 of 2', 'done'],
    ]);
  });
});
