import type { HouseholdPicture } from '@/contract/trajectory';

type Receptacle = HouseholdPicture['receptacles'][number];

/** A whole, valid receptacle for tests: it cannot be opened, holds nothing, and the agent is elsewhere. */
export function aReceptacle(name: string, receptacle: Partial<Receptacle> = {}): Receptacle {
  return { name, state: null, contents: [], here: false, target: false, ...receptacle };
}

/** A kitchen for tests, in which a cool apple is to be put on the table, with what matters to the test set. */
export function aHousehold(picture: Partial<HouseholdPicture> = {}): HouseholdPicture {
  return {
    kind: 'household',
    receptacles: [
      aReceptacle('countertop 1', { contents: ['bread 1', 'apple 1'], here: true }),
      aReceptacle('fridge 1', { state: 'closed', contents: ['apple 2', 'egg 1'] }),
      aReceptacle('microwave 1', { state: 'open' }),
      aReceptacle('diningtable 1', { target: true }),
    ],
    holding: null,
    targets: ['apple 1', 'apple 2'],
    progress: [
      { stage: 'found', done: 1, of: 1 },
      { stage: 'taken', done: 0, of: 1 },
      { stage: 'cooled', done: 0, of: 1 },
      { stage: 'placed', done: 0, of: 1 },
    ],
    ...picture,
  };
}
