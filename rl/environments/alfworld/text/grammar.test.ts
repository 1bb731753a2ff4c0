import { describe, expect, it } from 'vitest';
import { compileGame } from '../alfworld';
import { LogicCache, splitTask, withTask } from '../logic';
import { SMALL_GRAMMAR, smallGameText } from '../testing/small-game';
import { World } from '../world';

function start(grammar: string, problem: Partial<Record<'pddl_problem', string>> = {}): World {
  return World.start(compileGame(smallGameText({ grammar, ...problem }), 'small', null, new LogicCache()));
}

const withRule = (symbol: string, ways: readonly { rhs: string; condition?: string }[]) =>
  `${SMALL_GRAMMAR}\ngrammar :: """${JSON.stringify({ [symbol]: ways })}""";`;

describe('a grammar', () => {
  it('takes the first rule whose condition holds, and a later block over an earlier', () => {
    const world = start(
      withRule('inventory.feedback', [
        { condition: 'holdsany(a:agent)', rhs: 'Full.' },
        { condition: 'openable(r:receptacle)', rhs: 'There is a {r.name}.' },
        { rhs: 'Empty.' },
      ]),
    );
    // A condition chooses nothing: what it was true of is not at hand in the text.
    expect(() => world.command('inventory')).toThrow('r stands for nothing where a text uses it');
    const plain = start(
      withRule('inventory.feedback', [
        { condition: 'holdsany(a:agent)', rhs: 'Full.' },
        { condition: 'openable(r:receptacle)', rhs: 'Empty.' },
      ]),
    );
    expect(plain.command('inventory')).toBe('Empty.');
  });

  it('never gives two placeholders the same object', () => {
    const pairs = '[{o.name + o2.name | objecttype(o:object, t:otype) & objecttype(o2:object, t:otype)}]';
    const world = start(withRule('inventory.feedback', [{ rhs: pairs }]));
    expect(world.command('inventory')).toBe('mug 2mug 1, and mug 1mug 2');
  });

  it('writes a query outside a list without separators, and an empty list as nothing', () => {
    const world = start(
      withRule('inventory.feedback', [
        { rhs: '{r.name | openable(r:receptacle)}/[{o.name | ishot(o:object)}]' },
      ]),
    );
    expect(world.command('inventory')).toBe('drawer 1/nothing');
  });

  it('answers a game of its own task line with the rules it shares', () => {
    const cache = new LogicCache();
    const lines = ['put a mug in shelf.', 'find "#two# mugs"; quickly'].map((line) => {
      const grammar = withTask(SMALL_GRAMMAR, `Your task is to: ${line}`);
      const game = compileGame(smallGameText({ grammar }), 'small', null, cache);
      return { logic: game.logic, read: splitTask(grammar).task, line: World.start(game) };
    });
    expect(lines[0]?.logic).toBe(lines[1]?.logic);
    expect(lines.map(({ read }) => read)).toEqual([
      'Your task is to: put a mug in shelf.',
      'Your task is to: find "#two# mugs"; quickly',
    ]);
    expect(lines[0]?.line.taskLine()).toBe('Your task is to: put a mug in shelf.');
  });

  it.each([
    [
      'an unknown predicate',
      withRule('x', [{ rhs: 'a', condition: 'flies(o:object)' }]),
      'grammar: unknown predicate flies (in #x#)',
    ],
    [
      'the wrong number of objects',
      withRule('x', [{ rhs: 'a', condition: 'holds(o:object)' }]),
      'holds relates 2 objects, got 1 (in #x#)',
    ],
    [
      'a malformed condition',
      withRule('x', [{ rhs: 'a', condition: 'holds(' }]),
      '"holds(" is not a condition (in #x#)',
    ],
    ['an unknown symbol', withRule('x', [{ rhs: '#nowhere#' }]), '#nowhere# is used and has no rule'],
    [
      'an expression that is none',
      withRule('x', [{ rhs: '{o.name()}' }]),
      '{o.name()} is not an expression that can be read (in #x#)',
    ],
    [
      'a missing action',
      SMALL_GRAMMAR.replace('action look', 'action peek'),
      'there is no action look, which the domain has',
    ],
    [
      'a command of what changes',
      SMALL_GRAMMAR.replace('receptacleatlocation(r:receptacle, lend:location)}]', 'opened(r:receptacle)}]'),
      'the template of gotolocation depends on what actions change',
    ],
    [
      'a block that is not JSON',
      `${SMALL_GRAMMAR}\ngrammar :: """{"x": """;`,
      /grammar, line \d+: the block is not JSON/,
    ],
    [
      'a block of another shape',
      `${SMALL_GRAMMAR}\ngrammar :: """{"x": [{"rhs": 1}]}""";`,
      /grammar, line \d+: the block is not valid: x\.0\.rhs/,
    ],
    [
      'a word that begins nothing',
      `${SMALL_GRAMMAR}\nsentence`,
      'expected grammar or action, got "sentence"',
    ],
    [
      'an action without feedback',
      `${SMALL_GRAMMAR}\naction fly { template :: "fly"; }`,
      'the action fly has no feedback',
    ],
    ['a text without end', `${SMALL_GRAMMAR}\naction fly { template :: "fly`, 'expected a text in quotes'],
  ])('names %s', (_what, grammar, message) => {
    expect(() => start(grammar)).toThrow(message);
  });

  it('names a symbol that never ends, and one that no rule fits', () => {
    expect(() =>
      start(withRule('inventory.feedback', [{ rhs: '#inventory.feedback#' }])).command('inventory'),
    ).toThrow('#inventory.feedback# never ends');
    expect(() =>
      start(withRule('inventory.feedback', [{ rhs: 'a', condition: 'ishot(o:object)' }])).command(
        'inventory',
      ),
    ).toThrow('no rule of #inventory.feedback# applies');
  });
});
