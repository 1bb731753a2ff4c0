import { badSource, type SourceText } from '../source-text';
import { ConditionReader, Scope, type Condition } from './condition';
import { sectionsOf, type Domain } from './domain';
import { atoms, listAt, readExpression, typedNames, type ListExpression, type Typed } from './expression';

/** A fact as the problem states it. */
export interface StatedFact {
  predicate: number;
  objects: readonly string[];
}

/** One planning problem: what there is, what is true at the start, and what is wanted. */
export interface Problem {
  /** With the domain's constants. */
  objects: readonly Typed[];
  init: readonly StatedFact[];
  goal: { scope: Scope; condition: Condition };
}

const SECTIONS = new Set(['problem', ':domain', ':requirements', ':objects', ':init', ':goal', ':metric']);

/** Reads a PDDL problem of a domain. Throws `invalid_input` naming file and line. */
export function readProblem(source: SourceText, domain: Domain): Problem {
  const whole = readExpression(source);
  if (whole.items[0] !== 'define')
    throw badSource(source, whole.offset, 'expected (define (problem ...) ...)');
  const sections = sectionsOf(whole, source);
  for (const [name, [section]] of sections)
    if (!SECTIONS.has(name)) throw badSource(source, section?.offset ?? 0, `${name} is not supported`);
  const objects = [...domain.constants];
  for (const section of sections.get(':objects') ?? []) objects.push(...readObjects(section, domain, source));
  const goal = sections.get(':goal')?.[0];
  if (!goal) throw badSource(source, whole.offset, 'the problem has no :goal');
  const scope = new Scope(domain.predicates);
  return {
    objects,
    init: (sections.get(':init') ?? []).flatMap((section) => readInit(section, objects, domain, source)),
    goal: {
      scope,
      condition: new ConditionReader(scope, source).read(listAt(goal, 1, source, 'the goal'), new Map()),
    },
  };
}

function readObjects(section: ListExpression, { types }: Domain, source: SourceText): Typed[] {
  const objects = typedNames(section, source, 1);
  const stray = objects.find(({ type }) => !types.has(type));
  if (!stray) return objects;
  throw badSource(source, section.offset, `the object ${stray.name} has the unknown type ${stray.type}`);
}

function readInit(
  section: ListExpression,
  objects: readonly Typed[],
  { predicates }: Domain,
  source: SourceText,
): StatedFact[] {
  const known = new Set(objects.map(({ name }) => name));
  return section.items.slice(1).flatMap((_item, index): StatedFact[] => {
    const fact = listAt(section, index + 1, source, 'a fact');
    // Costs and distances: `(= (total-cost) 0)`.
    if (fact.items[0] === '=') return [];
    const [name = '', ...named] = atoms(fact, source);
    const predicate = predicates.require(name, named.length, fact, source);
    const unknown = named.find((object) => !known.has(object));
    if (unknown !== undefined) throw badSource(source, fact.offset, `unknown object ${unknown}`);
    return [{ predicate, objects: named }];
  });
}
