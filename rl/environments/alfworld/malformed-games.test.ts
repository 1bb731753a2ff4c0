import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { compileGame } from './alfworld';
import { LogicCache } from './logic';
import { damageGame, NOISE, playThrough } from './testing/damaged-games';
import { SMALL_DOMAIN, SMALL_GRAMMAR, SMALL_PROBLEM, smallGameText } from './testing/small-game';
import { World } from './world';

const compile = (text: string) => compileGame(text, 'a/game.tw-pddl', null, new LogicCache());

describe('a malformed game file', () => {
  it.each([
    ['truncated JSON', smallGameText().slice(0, 5000), /^a\/game\.tw-pddl is not JSON: /],
    ['nothing', '', /^a\/game\.tw-pddl is not JSON: /],
    [
      'another shape',
      '{"pddl_domain": 1, "grammar": ""}',
      /^a\/game\.tw-pddl is not valid: pddl_domain: .*pddl_problem: /,
    ],
    ['a list', '[1]', /^a\/game\.tw-pddl is not valid: /],
    [
      'an unknown predicate in the domain',
      smallGameText({ pddl_domain: SMALL_DOMAIN.replace('(checked ?l)', '(flown ?l)') }),
      /^a\/game\.tw-pddl: pddl_domain, line 13: unknown predicate flown$/,
    ],
    [
      'an unknown predicate in the problem',
      smallGameText({ pddl_problem: SMALL_PROBLEM.replace('(openable ', '(edible ') }),
      /: pddl_problem, line 12: unknown predicate edible$/,
    ],
    [
      'an unknown object',
      smallGameText({ pddl_problem: SMALL_PROBLEM.replace('(openable Drawer', '(openable Box') }),
      /: pddl_problem, line 12: unknown object box_bar_1$/,
    ],
    [
      'an object of an unknown type',
      smallGameText({ pddl_problem: SMALL_PROBLEM.replace('agent1 - agent', 'agent1 - robot') }),
      /: pddl_problem, line 2: the object agent1 has the unknown type robot$/,
    ],
    [
      'an object declared twice',
      smallGameText({ pddl_problem: SMALL_PROBLEM.replace('agent1 - agent', 'agent1 agent1 - agent') }),
      /^a\/game\.tw-pddl: the object agent1 is declared twice$/,
    ],
    [
      'a predicate of too few objects',
      smallGameText({
        pddl_problem: SMALL_PROBLEM.replace('(atLocation agent1 loc_bar_0)', '(atLocation agent1)'),
      }),
      /: pddl_problem, line 6: atlocation relates 2 objects, got 1$/,
    ],
    [
      'an unknown variable',
      smallGameText({ pddl_domain: SMALL_DOMAIN.replace('(checked ?l)', '(checked ?z)') }),
      /: pddl_domain, line 13: unknown variable \?z$/,
    ],
    [
      'unbalanced parentheses',
      smallGameText({ pddl_problem: `${SMALL_PROBLEM})` }),
      /: pddl_problem, line \d+: expected the end, got "\)"$/,
    ],
    [
      'deep nesting',
      smallGameText({ pddl_domain: '(and '.repeat(100_000) }),
      /: pddl_domain, line 1: lists nest more than 100 deep$/,
    ],
    [
      'no goal',
      smallGameText({ pddl_problem: SMALL_PROBLEM.slice(0, SMALL_PROBLEM.indexOf('(:goal')) + ')' }),
      /: pddl_problem, line 1: the problem has no :goal$/,
    ],
    [
      'effects that are not supported',
      smallGameText({
        pddl_domain: SMALL_DOMAIN.replace('(and (checked ?l))', '(forall (?x - object) (checked ?x))'),
      }),
      /: pddl_domain, line 13: forall in an effect is not supported$/,
    ],
    [
      'a precondition that leaves everything open',
      smallGameText({
        pddl_domain: SMALL_DOMAIN.replace(
          ':parameters (?a - agent) :precondition ()',
          ':parameters (?a - agent ?b - object ?c - object ?d - object ?e - object) :precondition ()',
        ),
      }),
      /^a\/game\.tw-pddl: pddl_domain: inventory can be taken in over 100000 ways$/,
    ],
    [
      'a condition that tries everything',
      smallGameText({ pddl_problem: withManyKinds(12), grammar: withConditionOfKinds(20) }),
      /^a\/game\.tw-pddl: grammar: a condition tries too many facts$/,
    ],
    [
      'derived predicates',
      smallGameText({ pddl_domain: SMALL_DOMAIN.replace(/\)$/, '(:derived (checked ?x) (holdsAny ?x)))') }),
      /: pddl_domain, line \d+: :derived is not supported$/,
    ],
  ])('with %s is refused, naming file and place', (_what, text, message) => {
    const refused = refusalOf(() => World.start(compile(text)).intro());
    expect(refused).toBeInstanceOf(AppError);
    expect(refused?.message).toMatch(message);
  });

  it('is refused where it is noise, whatever the noise is of', () => {
    for (const noise of NOISE) {
      const text = noise.repeat(Math.ceil(200_000 / noise.length));
      for (const part of ['pddl_domain', 'grammar', 'pddl_problem'] as const)
        expect(refusalOf(() => compile(smallGameText({ [part]: text })))).toBeInstanceOf(AppError);
    }
  });

  it('is refused or plays where it is damaged anywhere: no other error, and no text with a hole', () => {
    const outcomes = Array.from({ length: 300 }, (_, seed) => playThrough(damageGame(seed)));
    expect(outcomes.filter(({ error }) => error !== null && !(error instanceof AppError))).toEqual([]);
    expect(outcomes.filter(({ texts }) => texts.some((text) => /undefined|NaN/.test(text)))).toEqual([]);
    expect(outcomes.filter(({ error }) => error === null).length).toBeGreaterThan(10);
    expect(outcomes.filter(({ error }) => error !== null).length).toBeGreaterThan(100);
  });
});

/** The small problem with more objects, each of its own kind. */
function withManyKinds(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const objects = numbers.map((index) => `Toy_bar_${index} - object Toy${index}Type - otype`).join(' ');
  const facts = numbers.map((index) => `(objectType Toy_bar_${index} Toy${index}Type)`).join(' ');
  return SMALL_PROBLEM.replace('(:objects', `(:objects ${objects}`).replace('(:init', `(:init ${facts}`);
}

/** The small grammar, its first rule conditioned on as many different kinds. */
function withConditionOfKinds(count: number): string {
  const clauses = Array.from(
    { length: count },
    (_, index) => `objecttype(o${index}:object, t${index}:otype)`,
  );
  return SMALL_GRAMMAR.replace(
    '"rhs": "-= Welcome',
    `"condition": "${clauses.join(' & ')}", "rhs": "-= Welcome`,
  );
}

function refusalOf(work: () => unknown): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
