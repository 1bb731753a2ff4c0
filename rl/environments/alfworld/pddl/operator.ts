import type { Condition } from './condition';
import type { Action, Domain } from './domain';
import { constantsOf, JoinCompiler, type Binding, type Search, type Test } from './join';
import type { ObjectTable } from './objects';
import type { Fact } from './relation';
import { packFact } from './state';

/** An action ready to be grounded. */
export interface CompiledAction {
  action: Action;
  /** Finds the objects for which the precondition holds. */
  search: Search;
  /** Predicates that the precondition reads and an action can change. */
  reads: readonly number[];
  /** Facts that hold whenever the action can be taken. */
  needs: readonly (Condition & { kind: 'atom' })[];
  /** Tests of the conditional effects, by effect; null where there is no condition. */
  tests: readonly (Test | null)[];
}

/** A change of one fact by an operator. */
export interface Change {
  predicate: number;
  fact: Fact;
  adds: boolean;
  /** Of a conditional effect; takes the operator's binding. */
  test: Test | null;
}

/** An action with its objects. */
export interface Operator {
  action: Action;
  /** Parameter i stands in slot i. */
  binding: Binding;
  /** In the order of the effects. */
  changes: readonly Change[];
}

/** Compiles a domain's actions. */
export function compileActions(domain: Domain): CompiledAction[] {
  return domain.actions.map((action) => {
    const compiler = new JoinCompiler(action.scope, domain.fluent);
    const parameters = action.parameters.map((_parameter, slot) => slot);
    return {
      action,
      search: compiler.search(action.precondition, parameters),
      reads: [...new Set(predicatesOf(action.precondition))].filter((predicate) => domain.fluent[predicate]),
      needs: requiredAtoms(action.precondition),
      tests: action.effects.map(({ condition }) => condition && compiler.test(condition)),
    };
  });
}

/**
 * The operator of an action and a full binding; null where it changes nothing for certain, since Fast Downward drops
 * such operators: going from a place to itself is not possible. A fact that is added is not deleted, and one that the
 * precondition needs is not added.
 */
export function ground(
  { action, needs, tests }: CompiledAction,
  binding: Binding,
  objects: ObjectTable,
): Operator | null {
  const factOf = (slots: readonly number[]) =>
    packFact(
      slots.map((slot) => binding[slot] ?? -1),
      objects.count,
    );
  const changes = action.effects.map(({ predicate, slots, adds }, index): Change => ({
    predicate,
    fact: factOf(slots),
    adds,
    test: tests[index] ?? null,
  }));
  const isSure = (change: Change) => change.test === null;
  const isSame = (change: Change, predicate: number, { key }: Fact) =>
    change.predicate === predicate && change.fact.key === key;
  const kept = changes.filter((change) => {
    if (!isSure(change)) return true;
    if (change.adds) return !needs.some(({ predicate, slots }) => isSame(change, predicate, factOf(slots)));
    return !changes.some(
      (other) => other.adds && isSure(other) && isSame(other, change.predicate, change.fact),
    );
  });
  return kept.length === 0 ? null : { action, binding: binding.slice(), changes: kept };
}

/** A binding for an action's search, its constants in place. */
export function emptyBinding({ action }: CompiledAction, objects: ObjectTable): Binding {
  return constantsOf(action.scope, (name) => objects.number(name));
}

/** Predicates that a condition reads, with repeats. */
export function predicatesOf(condition: Condition): number[] {
  switch (condition.kind) {
    case 'atom':
      return [condition.predicate];
    case 'equal':
      return [];
    case 'and':
    case 'or':
      return condition.parts.flatMap(predicatesOf);
    case 'not':
    case 'exists':
    case 'forall':
      return predicatesOf(condition.part);
  }
}

function requiredAtoms(condition: Condition): (Condition & { kind: 'atom' })[] {
  if (condition.kind === 'atom') return [condition];
  return condition.kind === 'and' ? condition.parts.flatMap(requiredAtoms) : [];
}
