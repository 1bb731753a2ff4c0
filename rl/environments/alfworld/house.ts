import type { Game } from './game';
import type { Condition } from './pddl/condition';
import type { Relation } from './pddl/relation';
import type { State } from './pddl/state';

/** Predicates of ALFRED's domain that a house is made of. */
const PREDICATES = [
  'atlocation',
  'receptacleatlocation',
  'openable',
  'opened',
  'inreceptacle',
  'receptacletype',
  'cancontain',
  'objecttype',
  'holds',
  'isclean',
  'cleanable',
  'ishot',
  'heatable',
  'iscool',
  'coolable',
  'toggleable',
  'istoggled',
] as const;
type PredicateName = (typeof PREDICATES)[number];

/** What a goal may ask to be done to an object: the fact it brings about, and the action that does. */
export const TREATMENTS = [
  { fact: 'isclean', able: 'cleanable', action: 'cleanobject', stage: 'cleaned' },
  { fact: 'ishot', able: 'heatable', action: 'heatobject', stage: 'heated' },
  { fact: 'iscool', able: 'coolable', action: 'coolobject', stage: 'cooled' },
] as const;
export type Treatment = (typeof TREATMENTS)[number];

/** A household goal, read from its condition: objects are numbers of the game's table. */
export interface HouseGoal {
  /** Those of the kind that the goal names, lamps apart. */
  objects: readonly number[];
  /** How many of them it takes. */
  count: number;
  treatments: readonly Treatment[];
  /** Of the kind they must be put in; empty where they are looked at. */
  receptacles: readonly number[];
  /** Of the kind that must be lit; empty where nothing must. */
  lamps: readonly number[];
}

/** What the facts of a game in ALFRED's domain say of rooms, receptacles and objects. */
export class House {
  readonly goal: HouseGoal;
  /** Every receptacle that has a place. */
  readonly receptacles: readonly number[];

  private constructor(
    private readonly game: Game,
    private readonly predicates: Readonly<Record<PredicateName, number>>,
  ) {
    this.receptacles = this.relation(game.initial, 'receptacleatlocation')
      .all()
      .map(({ objects }) => objects[0] ?? -1);
    this.goal = this.readGoal(game.goal.condition);
  }

  /** Null where the game's domain is not ALFRED's. */
  static of(game: Game): House | null {
    const { predicates } = game.logic.domain;
    const entries = PREDICATES.map((name) => [name, predicates.index(name)] as const);
    if (entries.some(([, index]) => index === undefined)) return null;
    return new House(game, Object.fromEntries(entries) as Record<PredicateName, number>);
  }

  /** Where the agent is. */
  placeOfAgent(state: State): number | null {
    return this.relation(state, 'atlocation').all()[0]?.objects[1] ?? null;
  }

  /** Where a receptacle stands; null where the game does not say. */
  placeOf(receptacle: number): number | null {
    return this.relation(this.game.initial, 'receptacleatlocation').at(0, receptacle)[0]?.objects[1] ?? null;
  }

  /** What the agent holds. */
  held(state: State): number | null {
    return this.relation(state, 'holds').all()[0]?.objects[1] ?? null;
  }

  contents(state: State, receptacle: number): number[] {
    return this.column(state, 'inreceptacle', 1, receptacle, 0);
  }

  /** Every receptacle that an object is in; some are in two. */
  receptaclesWith(state: State, object: number): number[] {
    return this.column(state, 'inreceptacle', 0, object, 1);
  }

  /** Receptacles beside which an object can be treated: those of the kinds that the treatment's action names. */
  toolsFor({ action }: Treatment): number[] {
    const found = this.game.logic.domain.actions.find(({ name }) => name === action);
    if (!found) return [];
    const kinds = atomsOf(found.precondition)
      .filter(({ predicate }) => predicate === this.predicates.receptacletype)
      .map(({ slots }) => found.scope.slots[slots[1] ?? -1]?.name ?? '');
    return this.ofKinds('receptacletype', kinds).filter((receptacle) => this.placeOf(receptacle) !== null);
  }

  /** Whether a fact of one object holds. */
  is(state: State, predicate: PredicateName, object: number): boolean {
    return this.relation(state, predicate).at(0, object).length > 0;
  }

  /** Whether the receptacle takes objects of this one's kind. */
  takes(receptacle: number, object: number): boolean {
    const state = this.game.initial;
    const kinds = this.column(state, 'objecttype', 0, object, 1);
    return this.column(state, 'receptacletype', 0, receptacle, 1).some((type) =>
      this.column(state, 'cancontain', 0, type, 1).some((kind) => kinds.includes(kind)),
    );
  }

  private relation(state: State, name: PredicateName): Relation {
    return state.relation(this.predicates[name]);
  }

  /** Objects at one place of the facts that have `object` at another. */
  private column(state: State, name: PredicateName, place: number, object: number, wanted: number): number[] {
    return this.relation(state, name)
      .at(place, object)
      .map(({ objects }) => objects[wanted] ?? -1);
  }

  /** Objects of some kinds, in order of kinds, each once. */
  private ofKinds(relation: 'objecttype' | 'receptacletype', kinds: readonly string[]): number[] {
    const { initial, objects } = this.game;
    return [...new Set(kinds)].flatMap((kind) => this.column(initial, relation, 1, objects.number(kind), 0));
  }

  private readGoal(condition: Condition): HouseGoal {
    const atoms = atomsOf(condition);
    const { slots } = this.game.goal.scope;
    const named = (name: PredicateName) =>
      atoms.filter(({ predicate }) => predicate === this.predicates[name]);
    const toggled = new Set(named('istoggled').map((atom) => atom.slots[0]));
    const [lampTypes, objectTypes] = [true, false].map((isLamp) =>
      named('objecttype').filter((atom) => toggled.has(atom.slots[0]) === isLamp),
    );
    const kindsOf = (typed: readonly Atom[] = []) =>
      typed.map((atom) => slots[atom.slots[1] ?? -1]?.name ?? '');
    return {
      objects: this.ofKinds('objecttype', kindsOf(objectTypes)),
      count: new Set(objectTypes?.map((atom) => atom.slots[0])).size,
      treatments: TREATMENTS.filter(({ fact }) => named(fact).length > 0),
      receptacles: this.ofKinds('receptacletype', kindsOf(named('receptacletype'))),
      lamps: this.ofKinds('objecttype', kindsOf(lampTypes)),
    };
  }
}

type Atom = Condition & { kind: 'atom' };

function atomsOf(condition: Condition): Atom[] {
  switch (condition.kind) {
    case 'atom':
      return [condition];
    case 'equal':
    case 'not':
      return [];
    case 'and':
    case 'or':
      return condition.parts.flatMap(atomsOf);
    case 'exists':
    case 'forall':
      return atomsOf(condition.part);
  }
}
