import { describe, expect, it } from 'vitest';
import { ConditionReader, PredicateTable, Scope } from './condition';
import { TypeTable } from './domain';
import { readExpression } from './expression';
import { constantsOf, JoinCompiler } from './join';
import { ObjectTable } from './objects';
import { Relation } from './relation';
import { packFact, State } from './state';

const predicates = new PredicateTable([
  { name: 'on', arity: 2 },
  { name: 'red', arity: 1 },
  { name: 'left', arity: 3 },
]);
const objects = new ObjectTable(
  ['a', 'b', 'c'].map((name) => ({ name, type: 'block' })).concat({ name: 't', type: 'table' }),
  new TypeTable([
    { name: 'block', type: 'thing' },
    { name: 'table', type: 'thing' },
    { name: 'thing', type: 'object' },
  ]),
  'f',
);

/** Facts as `on a b`. */
function stateOf(...facts: readonly string[]): State {
  const relations = predicates.list.map(({ arity }) => new Relation(arity));
  for (const fact of facts) {
    const [name = '', ...names] = fact.split(' ');
    relations[predicates.index(name) ?? -1]?.add(
      packFact(
        names.map((object) => objects.number(object)),
        objects.count,
      ),
    );
  }
  return new State(objects, relations);
}

/** Every way to fill `?x - block ?y - thing`, each once, as `ab`. */
function ways(condition: string, state: State): string[] {
  const source = { file: 'f', part: 'p', text: condition };
  const scope = new Scope(predicates);
  const x = scope.variable({ name: '?x', type: 'block' });
  const y = scope.variable({ name: '?y', type: 'thing' });
  const variables = new Map([
    ['?x', x],
    ['?y', y],
  ]);
  const read = new ConditionReader(scope, source).read(readExpression(source), variables);
  const search = new JoinCompiler(scope, [true, false, false]).search(read, [x, y]);
  const binding = constantsOf(scope, (name) => objects.number(name));
  const found = new Set<string>();
  search(state, binding, () => {
    found.add(`${objects.names[binding[x] ?? -1]}${objects.names[binding[y] ?? -1]}`);
    return false;
  });
  return [...found].sort();
}

const STACK = stateOf('on a b', 'on b t', 'on c t', 'red a', 'red t', 'left a b c');

describe('JoinCompiler', () => {
  it.each([
    ['(on ?x ?y)', ['ab', 'bt', 'ct']],
    ['(and (on ?x ?y) (red ?y))', ['bt', 'ct']],
    ['(and (on ?x ?y) (not (red ?y)))', ['ab']],
    ['(and (on ?x ?y) (on ?y t))', ['ab']],
    ['(and (on ?x ?y) (on ?y none))', []],
    ['(and (red ?x) (not (= ?x ?y)))', ['ab', 'ac', 'at']],
    ['(and (on ?x t) (= ?y ?x))', ['bb', 'cc']],
    ['(and (red ?y) (or (on ?x ?y) (on ?y ?x)))', ['ba', 'bt', 'ct']],
    ['(and (on ?x ?y) (exists (?z - block) (on ?z ?x)))', ['bt']],
    ['(and (on ?x ?y) (not (exists (?z - block) (on ?z ?x))))', ['ab', 'ct']],
    ['(and (on ?x ?y) (forall (?z - block) (or (= ?z ?x) (not (on ?z ?y)))))', ['ab']],
    ['(and (left ?x b c) (on ?x ?y))', ['ab']],
    ['(and (left ?x ?x c) (on ?x ?y))', []],
    ['(and (on ?x ?y) (exists (?z - nowhere) (red a)))', []],
    ['(and (on ?x ?y) (exists (?z - block, ?w - table) (and (on ?z ?w))))', []],
    ['(and (red ?y) (red ?x))', ['aa', 'at']],
    ['()', ['aa', 'ab', 'ac', 'at', 'ba', 'bb', 'bc', 'bt', 'ca', 'cb', 'cc', 'ct']],
  ])('%s', (condition, expected) => {
    expect(ways(condition, STACK)).toEqual(expected);
  });

  it('has objects of a type and of those below it', () => {
    expect(objects.ofType('thing').map((object) => objects.names[object])).toEqual(['a', 'b', 'c', 't']);
    expect(objects.ofType('table').map((object) => objects.names[object])).toEqual(['t']);
    expect(objects.ofType('block,')).toEqual([]);
  });

  it('stops at alternatives that multiply without end', () => {
    const choice = '(or (red ?x) (red ?y) (on ?x ?y) (on ?y ?x) (= ?x ?y))';
    expect(() => ways(`(and ${choice.repeat(12)})`, STACK)).toThrow('a condition has too many alternatives');
  });
});
