import { AppError } from '@/contract/errors';
import type { Condition, Scope } from './condition';
import type { State } from './state';

/** The object in each slot. A search leaves the last objects it tried in the slots it fills. */
export type Binding = Int32Array;
/** Whether a condition holds, its free slots filled. */
export type Test = (state: State, binding: Binding) => boolean;
/** Calls `found` once for each way to fill the slots, until it answers true; true where it did. */
export type Search = (state: State, binding: Binding, found: () => boolean) => boolean;

const STOP = () => true;

/** Alternatives multiply; no domain of the field comes near. */
const MOST_JOINS = 20_000;

/** Compiles conditions of one scope into searches and tests over indexed relations. */
export class JoinCompiler {
  private joins = 0;

  constructor(
    private readonly scope: Scope,
    /** By predicate: whether it can change. */
    private readonly fluent: readonly boolean[],
  ) {}

  /**
   * A search for the ways to fill the slots of `wanted`. The same way may be found more than once. Tests run as soon as
   * their slots are filled; of the facts to look up, those with most objects known come first, then those that can
   * change, since they say where the agent is and what it holds.
   */
  search(condition: Condition, wanted: readonly number[]): Search {
    const constants = this.scope.slots.flatMap(({ type }, slot) => (type === null ? [slot] : []));
    return this.join([condition], new Set(constants), wanted);
  }

  /** A test of a condition without free variables. */
  test(condition: Condition): Test {
    switch (condition.kind) {
      case 'atom':
        return testAtom(condition);
      case 'equal': {
        const [left, right] = condition.slots;
        return (_state, binding) => binding[left] === binding[right];
      }
      case 'not': {
        const part = this.test(condition.part);
        return (state, binding) => !part(state, binding);
      }
      case 'and': {
        const parts = condition.parts.map((part) => this.test(part));
        return (state, binding) => parts.every((part) => part(state, binding));
      }
      case 'or': {
        const parts = condition.parts.map((part) => this.test(part));
        return (state, binding) => parts.some((part) => part(state, binding));
      }
      case 'exists': {
        const search = this.inner(condition.part, condition.variables);
        return (state, binding) => search(state, binding, STOP);
      }
      case 'forall': {
        const search = this.inner({ kind: 'not', part: condition.part }, condition.variables);
        return (state, binding) => !search(state, binding, STOP);
      }
    }
  }

  /** A search for a quantifier's variables, all else filled. */
  private inner(condition: Condition, variables: readonly number[]): Search {
    const filled = new Set(this.scope.slots.keys());
    for (const slot of [...variables, ...quantifiedSlots(condition)]) filled.delete(slot);
    return this.join([condition], filled, variables);
  }

  private join(
    conditions: readonly Condition[],
    filled: ReadonlySet<number>,
    needed: readonly number[],
  ): Search {
    if (++this.joins > MOST_JOINS) throw new AppError('too_large', 'a condition has too many alternatives');
    const open = conditions.flatMap(flatten);
    const wanted = [...needed, ...conditions.flatMap(openedSlots)];
    const ready = open.find((condition) => freeSlots(condition).every((slot) => filled.has(slot)));
    if (ready) return this.joinTest(ready, without(open, ready), filled, wanted);
    const atom = this.bestAtom(open, filled);
    if (atom) return this.joinAtom(atom, without(open, atom), filled, wanted);
    const choice = open.find((condition) => condition.kind === 'or');
    if (choice?.kind === 'or') {
      const rest = without(open, choice);
      const branches = choice.parts.map((part) => this.join([part, ...rest], filled, wanted));
      return (state, binding, found) => branches.some((branch) => branch(state, binding, found));
    }
    const [unfilled] = [...open.flatMap(freeSlots), ...wanted].filter((slot) => !filled.has(slot));
    if (unfilled !== undefined) return this.joinType(unfilled, open, filled, wanted);
    return (_state, _binding, found) => found();
  }

  private joinTest(
    condition: Condition,
    rest: readonly Condition[],
    filled: ReadonlySet<number>,
    wanted: readonly number[],
  ): Search {
    const test = this.test(condition);
    const next = this.join(rest, filled, wanted);
    return (state, binding, found) => test(state, binding) && next(state, binding, found);
  }

  private bestAtom(open: readonly Condition[], filled: ReadonlySet<number>): Atom | null {
    const known = (atom: Atom) => atom.slots.filter((slot) => filled.has(slot)).length;
    const rank = (atom: Atom) => known(atom) * 2 + (this.fluent[atom.predicate] ? 1 : 0);
    return open
      .filter((condition) => condition.kind === 'atom')
      .reduce<Atom | null>((best, atom) => (best && rank(best) >= rank(atom) ? best : atom), null);
  }

  private joinAtom(
    { predicate, slots }: Atom,
    rest: readonly Condition[],
    filled: ReadonlySet<number>,
    wanted: readonly number[],
  ): Search {
    const place = slots.findIndex((slot) => filled.has(slot));
    const indexed = slots[place];
    const next = this.join(rest, new Set([...filled, ...slots]), wanted);
    const seen = new Set(filled);
    const columns = slots.map((slot): Column => {
      const fills = !seen.has(slot);
      seen.add(slot);
      return { slot, fills, type: fills ? this.typeOf(slot) : 'object' };
    });
    return (state, binding, found) => {
      const relation = state.relation(predicate);
      const facts = indexed === undefined ? relation.all() : relation.at(place, binding[indexed] ?? -1);
      for (const { objects } of facts)
        if (fillFrom(objects, columns, state, binding) && next(state, binding, found)) return true;
      return false;
    };
  }

  private joinType(
    slot: number,
    open: readonly Condition[],
    filled: ReadonlySet<number>,
    wanted: readonly number[],
  ): Search {
    const type = this.typeOf(slot);
    const next = this.join(open, new Set([...filled, slot]), wanted);
    return (state, binding, found) =>
      state.objects.ofType(type).some((object) => {
        binding[slot] = object;
        return next(state, binding, found);
      });
  }

  private typeOf(slot: number): string {
    return this.scope.slots[slot]?.type ?? 'object';
  }
}

type Atom = Condition & { kind: 'atom' };

/** One place of an atom: a slot to fill from a fact, or one to compare with it. */
interface Column {
  slot: number;
  fills: boolean;
  type: string;
}

function fillFrom(
  objects: readonly number[],
  columns: readonly Column[],
  state: State,
  binding: Binding,
): boolean {
  for (let place = 0; place < columns.length; place++) {
    const column = columns[place];
    const object = objects[place];
    if (!column || object === undefined) return false;
    if (!column.fills) {
      if (binding[column.slot] !== object) return false;
    } else {
      if (column.type !== 'object' && state.objects.membership(column.type)[object] !== 1) return false;
      binding[column.slot] = object;
    }
  }
  return true;
}

function testAtom({ predicate, slots }: Atom): Test {
  return (state, binding) => {
    let key = 0;
    for (const slot of slots) {
      const object = binding[slot] ?? -1;
      // A constant that the problem does not declare is in no fact.
      if (object < 0) return false;
      key = key * state.objects.count + object;
    }
    return state.relation(predicate).has(key);
  };
}

/** Conditions that must all hold: `and` and `exists` opened, the latter's variables to be filled like others. */
function flatten(condition: Condition): Condition[] {
  if (condition.kind === 'and') return condition.parts.flatMap(flatten);
  if (condition.kind === 'exists') return flatten(condition.part);
  return [condition];
}

/** Variables of the `exists` that `flatten` opens. */
function openedSlots(condition: Condition): number[] {
  if (condition.kind === 'and') return condition.parts.flatMap(openedSlots);
  if (condition.kind === 'exists') return [...condition.variables, ...openedSlots(condition.part)];
  return [];
}

function without(conditions: readonly Condition[], one: Condition): Condition[] {
  return conditions.filter((condition) => condition !== one);
}

/** Slots that a condition needs filled from outside. */
function freeSlots(condition: Condition): number[] {
  switch (condition.kind) {
    case 'atom':
    case 'equal':
      return [...condition.slots];
    case 'not':
      return freeSlots(condition.part);
    case 'and':
    case 'or':
      return condition.parts.flatMap(freeSlots);
    case 'exists':
    case 'forall':
      return freeSlots(condition.part).filter((slot) => !condition.variables.includes(slot));
  }
}

function quantifiedSlots(condition: Condition): number[] {
  switch (condition.kind) {
    case 'atom':
    case 'equal':
      return [];
    case 'not':
      return quantifiedSlots(condition.part);
    case 'and':
    case 'or':
      return condition.parts.flatMap(quantifiedSlots);
    case 'exists':
    case 'forall':
      return [...condition.variables, ...quantifiedSlots(condition.part)];
  }
}

/** A binding with the constants of a scope in place. */
export function constantsOf(scope: Scope, number: (name: string) => number): Binding {
  if (scope.slots.length > 0xffff) throw new AppError('too_large', 'a condition has too many variables');
  return Int32Array.from(scope.slots, ({ name, type }) => (type === null ? number(name) : -1));
}
