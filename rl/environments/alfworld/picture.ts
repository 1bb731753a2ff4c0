import type { HouseholdPicture } from '@/contract/trajectory';
import type { House } from './house';
import type { State } from './pddl/state';
import type { World } from './world';

type Progress = HouseholdPicture['progress'];

/** What an episode has brought about that the state alone does not tell. */
export interface History {
  /** Objects of the goal's kind that an observation has named. */
  found: ReadonlySet<number>;
  /** Those that have been in the hand. */
  taken: ReadonlySet<number>;
}

/**
 * The true state of the house, closed receptacles included, in the order of names, and how far the goal has come. An
 * object counts as placed when it stands in a receptacle of the goal's kind after all that had to be done to it; of two
 * that must be put together, those in the one receptacle that has most count.
 */
export function drawHousehold({ game, state }: World, house: House, history: History): HouseholdPicture {
  const name = (object: number) => game.names[object] ?? '';
  const { goal } = house;
  const here = house.placeOfAgent(state);
  const held = house.held(state);
  const receptacles = house.receptacles.map((receptacle): HouseholdPicture['receptacles'][number] => {
    const isOpen = house.is(state, 'opened', receptacle);
    return {
      name: name(receptacle),
      state: house.is(state, 'openable', receptacle) ? (isOpen ? 'open' : 'closed') : null,
      contents: house.contents(state, receptacle).map(name).sort(byKindAndNumber),
      here: house.placeOf(receptacle) === here,
      target: goal.receptacles.includes(receptacle),
    };
  });
  return {
    kind: 'household',
    receptacles: receptacles.sort((left, right) => byKindAndNumber(left.name, right.name)),
    holding: held === null ? null : name(held),
    targets: goal.objects.map(name).sort(byKindAndNumber),
    progress: goal.count === 0 ? [] : progressOf(state, house, history),
  };
}

function progressOf(state: State, house: House, { found, taken }: History): Progress {
  const { objects, count, treatments, receptacles, lamps } = house.goal;
  const stage = (name: Progress[number]['stage'], done: number, of = count) => ({
    stage: name,
    done: Math.min(done, of),
    of,
  });
  const isTreated = (object: number) => treatments.every(({ fact }) => house.is(state, fact, object));
  const placed = receptacles.map(
    (receptacle) =>
      house.contents(state, receptacle).filter((object) => objects.includes(object) && isTreated(object))
        .length,
  );
  return [
    stage('found', found.size),
    stage('taken', taken.size),
    ...treatments.map(({ stage: name, fact }) =>
      stage(name, objects.filter((object) => house.is(state, fact, object)).length),
    ),
    ...(lamps.length > 0
      ? [stage('lit', lamps.filter((lamp) => house.is(state, 'istoggled', lamp)).length, 1)]
      : []),
    ...(receptacles.length > 0 ? [stage('placed', Math.max(...placed))] : []),
  ];
}

/** `cabinet 2` before `cabinet 10`. */
function byKindAndNumber(left: string, right: string): number {
  const [kind = '', number = '0'] = left.split(' ');
  const [otherKind = '', otherNumber = '0'] = right.split(' ');
  if (kind !== otherKind) return kind < otherKind ? -1 : 1;
  return Number(number) - Number(otherNumber);
}
