import { badSource, type SourceText } from '../source-text';
import { atoms, listAt, typedNames, type Expression, type ListExpression, type Typed } from './expression';

/**
 * A condition over slots. A slot is a place in a binding that holds an object: a variable's, or a constant's that is
 * filled once for each game.
 */
export type Condition =
  | { kind: 'atom'; predicate: number; slots: readonly number[] }
  | { kind: 'equal'; slots: readonly [number, number] }
  | { kind: 'not'; part: Condition }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'exists' | 'forall'; variables: readonly number[]; part: Condition };

/** What a predicate is called and how many objects it relates. */
export interface Predicate {
  name: string;
  arity: number;
}

/** The predicates of a domain by name. */
export class PredicateTable {
  private readonly indices: ReadonlyMap<string, number>;

  constructor(readonly list: readonly Predicate[]) {
    this.indices = new Map(list.map(({ name }, index) => [name, index]));
  }

  /** Undefined where there is none of that name. */
  index(name: string): number | undefined {
    return this.indices.get(name);
  }

  /** Throws where the predicate is unknown or relates another number of objects. */
  require(name: string, arity: number, list: ListExpression, source: SourceText): number {
    const index = this.indices.get(name);
    const predicate = index === undefined ? undefined : this.list[index];
    if (index === undefined || !predicate) throw badSource(source, list.offset, `unknown predicate ${name}`);
    if (predicate.arity !== arity) {
      throw badSource(source, list.offset, `${name} relates ${predicate.arity} objects, got ${arity}`);
    }
    return index;
  }
}

/** The slots of an action or a goal: what each is called and, for variables, which type it has. */
export class Scope {
  /** One a slot; `type` is null for constants. */
  readonly slots: { name: string; type: string | null }[] = [];
  private readonly constants = new Map<string, number>();

  constructor(readonly predicates: PredicateTable) {}

  variable({ name, type }: Typed): number {
    return this.slots.push({ name, type }) - 1;
  }

  constant(name: string): number {
    const known = this.constants.get(name);
    if (known !== undefined) return known;
    const slot = this.slots.push({ name, type: null }) - 1;
    this.constants.set(name, slot);
    return slot;
  }
}

/** Slots of the variables in reach, by name with the question mark. */
type Variables = ReadonlyMap<string, number>;

/** Reads conditions and effects of one text into one scope. */
export class ConditionReader {
  constructor(
    readonly scope: Scope,
    private readonly source: SourceText,
  ) {}

  /** Reads a condition; `()` is always true. Throws naming file and line where it is malformed. */
  read(expression: Expression, variables: Variables): Condition {
    if (typeof expression === 'string') {
      throw badSource(this.source, 0, `expected a condition, got ${expression}`);
    }
    const [head, ...rest] = expression.items;
    if (head === undefined) return { kind: 'and', parts: [] };
    if (typeof head !== 'string') throw this.bad(expression, 'expected the name of a condition');
    switch (head) {
      case 'and':
      case 'or':
        return { kind: head, parts: rest.map((part) => this.read(part, variables)) };
      case 'not':
        return { kind: 'not', part: this.read(this.only(expression), variables) };
      case 'exists':
      case 'forall':
        return this.readQuantified(head, expression, variables);
      case '=': {
        const [left, right, ...others] = this.slots(expression, variables);
        if (left === undefined || right === undefined || others.length > 0) {
          throw this.bad(expression, '= compares two objects');
        }
        return { kind: 'equal', slots: [left, right] };
      }
      default:
        return this.readAtom(expression, variables);
    }
  }

  /** Reads `(predicate name ...)`. */
  readAtom(expression: ListExpression, variables: Variables): Condition & { kind: 'atom' } {
    const [name = '', ...names] = atoms(expression, this.source);
    const predicate = this.scope.predicates.require(name, names.length, expression, this.source);
    return { kind: 'atom', predicate, slots: this.slots(expression, variables) };
  }

  /** The one argument of `(not ...)`. */
  only(expression: ListExpression): ListExpression {
    if (expression.items.length !== 2) throw this.bad(expression, 'not has one condition');
    return listAt(expression, 1, this.source, 'a condition');
  }

  private readQuantified(
    kind: 'exists' | 'forall',
    expression: ListExpression,
    variables: Variables,
  ): Condition {
    if (expression.items.length !== 3) throw this.bad(expression, `${kind} has variables and one condition`);
    const bound = typedNames(listAt(expression, 1, this.source, 'variables'), this.source);
    const slots = bound.map((variable) => this.scope.variable(variable));
    const inner = new Map([
      ...variables,
      ...bound.map(({ name }, index) => [name, slots[index] ?? 0] as const),
    ]);
    const part = this.read(listAt(expression, 2, this.source, 'a condition'), inner);
    return { kind, variables: slots, part };
  }

  private slots(expression: ListExpression, variables: Variables): number[] {
    return atoms(expression, this.source)
      .slice(1)
      .map((name) => {
        if (!name.startsWith('?')) return this.scope.constant(name);
        const slot = variables.get(name);
        if (slot === undefined) throw this.bad(expression, `unknown variable ${name}`);
        return slot;
      });
  }

  private bad(expression: ListExpression, message: string) {
    return badSource(this.source, expression.offset, message);
  }
}
