import { badSource, type SourceText } from '../source-text';
import { ConditionReader, PredicateTable, Scope, type Condition } from './condition';
import { atoms, listAt, readExpression, typedNames, type ListExpression, type Typed } from './expression';

/** A change of one fact. */
export interface Effect {
  predicate: number;
  slots: readonly number[];
  /** The fact comes true; otherwise it ceases to be. */
  adds: boolean;
  /** Null where the effect does not depend on the state. */
  condition: Condition | null;
}

export interface Action {
  /** Lower-cased. */
  name: string;
  /** Names without the question mark; slot i of the scope is parameter i. */
  parameters: readonly Typed[];
  scope: Scope;
  precondition: Condition;
  effects: readonly Effect[];
}

/** A planning domain: what can be true and what can be done. */
export interface Domain {
  types: TypeTable;
  predicates: PredicateTable;
  constants: readonly Typed[];
  actions: readonly Action[];
  /** By predicate: whether an action can change it. */
  fluent: readonly boolean[];
}

/** Sections that say nothing about what is possible: costs, and which parts of PDDL are used. */
const IGNORED_SECTIONS = new Set(['domain', ':requirements', ':functions']);

/**
 * Reads a PDDL domain: types, constants, predicates and actions with conditional effects. Costs are left out. Throws
 * `invalid_input` naming file and line.
 */
export function readDomain(source: SourceText): Domain {
  const whole = readExpression(source);
  if (whole.items[0] !== 'define')
    throw badSource(source, whole.offset, 'expected (define (domain ...) ...)');
  const sections = sectionsOf(whole, source);
  const types = new TypeTable(namesOf(sections.get(':types'), source));
  const predicates = readPredicates(sections.get(':predicates') ?? [], source);
  const actions = (sections.get(':action') ?? []).map((section) => readAction(section, predicates, source));
  for (const name of sections.keys())
    if (!KNOWN_SECTIONS.has(name) && !IGNORED_SECTIONS.has(name)) {
      throw badSource(source, sections.get(name)?.[0]?.offset ?? 0, `${name} is not supported`);
    }
  const fluent = predicates.list.map((_predicate, index) =>
    actions.some(({ effects }) => effects.some(({ predicate }) => predicate === index)),
  );
  return { types, predicates, constants: namesOf(sections.get(':constants'), source), actions, fluent };
}

const KNOWN_SECTIONS = new Set([':types', ':predicates', ':constants', ':action']);

/** The sections of a `(define ...)` by name, in order. */
export function sectionsOf(whole: ListExpression, source: SourceText): Map<string, ListExpression[]> {
  const sections = new Map<string, ListExpression[]>();
  whole.items.slice(1).forEach((_item, index) => {
    const section = listAt(whole, index + 1, source, 'a section');
    const name = section.items[0];
    if (typeof name !== 'string') throw badSource(source, section.offset, 'expected the name of a section');
    sections.set(name, [...(sections.get(name) ?? []), section]);
  });
  return sections;
}

function namesOf(sections: readonly ListExpression[] = [], source: SourceText): Typed[] {
  return sections.flatMap((section) => typedNames(section, source, 1));
}

function readPredicates(sections: readonly ListExpression[], source: SourceText): PredicateTable {
  const lists = sections.flatMap((section) =>
    section.items.slice(1).map((_item, index) => listAt(section, index + 1, source, 'a predicate')),
  );
  const predicates = lists.map((list) => ({
    name: atoms(list, source)[0] ?? '',
    arity: typedNames(list, source, 1).length,
  }));
  return new PredicateTable(predicates);
}

function readAction(section: ListExpression, predicates: PredicateTable, source: SourceText): Action {
  const [, name, ...fields] = section.items;
  if (typeof name !== 'string') throw badSource(source, section.offset, 'expected the name of an action');
  const scope = new Scope(predicates);
  const reader = new ConditionReader(scope, source);
  const field = (key: string): ListExpression => {
    const at = fields.indexOf(key);
    const value = at < 0 ? undefined : fields[at + 1];
    if (value === undefined && key === ':precondition') return { items: [], offset: section.offset };
    if (value === undefined || typeof value === 'string') {
      throw badSource(source, section.offset, `the action ${name} has no ${key}`);
    }
    return value;
  };
  const parameters = typedNames(field(':parameters'), source);
  const variables = new Map(parameters.map((parameter) => [parameter.name, scope.variable(parameter)]));
  const precondition = reader.read(field(':precondition'), variables);
  const effects = readEffects(field(':effect'), { reader, variables, source, condition: null });
  return {
    name,
    parameters: parameters.map(({ name: withMark, type }) => ({ name: withMark.replace(/^\?/, ''), type })),
    scope,
    precondition,
    effects,
  };
}

interface EffectContext {
  reader: ConditionReader;
  variables: ReadonlyMap<string, number>;
  source: SourceText;
  condition: Condition | null;
}

function readEffects(expression: ListExpression, context: EffectContext): Effect[] {
  const { reader, variables, source, condition } = context;
  const head = expression.items[0];
  switch (head) {
    case undefined:
    case 'increase':
      return [];
    case 'and':
      return expression.items
        .slice(1)
        .flatMap((_item, index) => readEffects(listAt(expression, index + 1, source, 'an effect'), context));
    case 'when': {
      if (condition) throw badSource(source, expression.offset, 'when within when is not supported');
      const given = reader.read(listAt(expression, 1, source, 'a condition'), variables);
      return readEffects(listAt(expression, 2, source, 'an effect'), { ...context, condition: given });
    }
    case 'forall':
      throw badSource(source, expression.offset, 'forall in an effect is not supported');
    case 'not': {
      const { predicate, slots } = reader.readAtom(reader.only(expression), variables);
      return [{ predicate, slots, adds: false, condition }];
    }
    default: {
      const { predicate, slots } = reader.readAtom(expression, variables);
      return [{ predicate, slots, adds: true, condition }];
    }
  }
}

/** The types of a domain. `object` is above all others. */
export class TypeTable {
  private readonly supertypes = new Map<string, string>([['object', 'object']]);

  constructor(declared: readonly Typed[]) {
    for (const { name, type } of declared) if (name !== 'object') this.supertypes.set(name, type);
  }

  has(name: string): boolean {
    return this.supertypes.has(name);
  }

  /** The type itself and all above it, `object` last. */
  withSupertypes(name: string): string[] {
    const line = [name];
    for (let type = this.supertypes.get(name); type !== undefined; type = this.supertypes.get(type)) {
      if (line.includes(type)) break;
      line.push(type);
    }
    return line.includes('object') ? line : [...line, 'object'];
  }
}
