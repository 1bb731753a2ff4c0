import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { compareConfigs, differenceWords, IGNORED_BY_DEFAULT } from './config-difference';
import { jsonLeaves } from './config-leaves';
import { yamlLeaves } from './hydra-yaml';

const PUBLISHED = path.join(
  process.env.STEPSCOPE_DATA ?? '../shared/data',
  '../published/strata-alfworld.txt',
);

const differing = (
  a: ReturnType<typeof jsonLeaves>,
  b: ReturnType<typeof jsonLeaves>,
  ignore: string[] = [],
) =>
  compareConfigs(a, b, ignore)
    .keys.filter(({ differs, ignored }) => differs && !ignored)
    .map(({ key }) => key);

describe('a difference of configs', () => {
  it('tells 1, "1" and 1.0 apart where both sources do', () => {
    const whole = yamlLeaves('x: 1');
    const text = yamlLeaves('x: "1"');
    const float = yamlLeaves('x: 1.0');
    expect([differing(whole, text), differing(whole, float), differing(text, float)]).toEqual([
      ['x'],
      ['x'],
      ['x'],
    ]);
    expect(differing(whole, yamlLeaves('x: 1'))).toEqual([]);
    expect(differing(yamlLeaves('x: [1, 2]'), yamlLeaves('x: [1.0, 2]'))).toEqual(['x']);
    expect(differing(yamlLeaves('x: [1]'), yamlLeaves('x: ["1"]'))).toEqual(['x']);
  });

  it('takes a number that JSON has read for either, and never for a text', () => {
    const stored = jsonLeaves({ x: 1 });
    expect(differing(stored, yamlLeaves('x: 1'))).toEqual([]);
    expect(differing(stored, yamlLeaves('x: 1.0'))).toEqual([]);
    expect(differing(jsonLeaves({ x: 1e-6 }), yamlLeaves('x: 1e-6'))).toEqual([]);
    expect(differing(stored, yamlLeaves("x: '1'"))).toEqual(['x']);
    expect(differing(jsonLeaves({ x: [1, 0.9] }), yamlLeaves('x: [1.0, 0.9]'))).toEqual([]);
    expect(differing(jsonLeaves({ x: [1] }), yamlLeaves('x: ["1"]'))).toEqual(['x']);
    expect(differing(jsonLeaves({ x: true }), yamlLeaves('x: True'))).toEqual([]);
  });

  it('knows keys by their dots however they are nested, and tells null from a key that is not there', () => {
    const nested = jsonLeaves({ trainer: { save_freq: 10, none: null } });
    expect(differing(nested, yamlLeaves('trainer.save_freq: 10\ntrainer.none: null'))).toEqual([]);
    expect(differing(nested, yamlLeaves('trainer: {save_freq: 10}'))).toEqual(['trainer.none']);
  });

  it('counts ignored keys apart', () => {
    const a = jsonLeaves({ a: { log_dir: '/x', lr: 1, port: 1 }, run_id: 'r' });
    const b = jsonLeaves({ a: { log_dir: '/y', lr: 2, port: 2 }, run_id: 's' });
    const difference = compareConfigs(a, b, IGNORED_BY_DEFAULT);
    expect(differenceWords(difference)).toBe('1 of 1 keys differs; 3 more in ignored keys');
    expect(differenceWords(compareConfigs(a, b, []))).toBe('4 of 4 keys differ');
    expect(differing(a, b, ['a.*'])).toEqual(['run_id']);
    expect(differing(jsonLeaves({ 'a.b': 1 }), jsonLeaves({ 'a.b': 2 }), ['a?b'])).toEqual(['a.b']);
  });

  it.skipIf(!existsSync(PUBLISHED))(
    'reads 6 of 533 for StraTA’s run against its model (STEPSCOPE_DATA)',
    () => {
      const rows = [
        ...readFileSync(PUBLISHED, 'utf8').matchAll(/^\| `([\w.]+)` \| (\S+) \| (\S+) \| (?:none|what)/gm),
      ];
      expect(rows).toHaveLength(6);
      const common = Array.from({ length: 527 }, (_, index) => `common.key_${index}: ${index % 7}`);
      const side = (column: 2 | 3) =>
        yamlLeaves(
          [...common, ...rows.map((row) => `${row[1]}: ${row[column]?.replaceAll('`', '')}`)].join('\n'),
        );
      const difference = compareConfigs(side(2), side(3), IGNORED_BY_DEFAULT);
      expect(differenceWords(difference)).toBe('6 of 533 keys differ');
      const changed = difference.keys.filter(({ differs }) => differs);
      expect(changed.map(({ key, a, b }) => `${key} ${a?.text} ${b?.text}`)).toContain(
        'actor.checkpoint.save_contents ["hf_model"] ["model","optimizer","extra","hf_model"]',
      );
      expect(changed.map(({ a }) => a?.type)).toContain('boolean');
    },
  );
});

describe('Hydra’s YAML', () => {
  it('keeps interpolations as text and reads overrides', () => {
    expect(yamlLeaves('a: ${b.c}').get('a')).toMatchObject({ type: 'text', text: '${b.c}' });
    const overrides = yamlLeaves('- trainer.n_gpus_per_node=2\n- +data.x=[a,1.0]\n- ~gone\n');
    expect(overrides.get('trainer.n_gpus_per_node')).toMatchObject({ type: 'integer', text: '2' });
    expect(overrides.get('data.x')?.text).toBe('["a",1.0]');
  });

  it('follows anchors and merge keys, in which the keys beside win', () => {
    const leaves = yamlLeaves('base: &b {x: 1, y: 2}\nmine:\n  <<: *b\n  y: 3\n');
    expect(leaves.get('mine.x')?.text).toBe('1');
    expect(leaves.get('mine.y')?.text).toBe('3');
  });

  it('merges in whole values, of several maps the first one’s', () => {
    const leaves = yamlLeaves('a: &a {x: {p: 1}}\nb: &b {x: {q: 2}, z: 5}\nmine:\n  <<: [*a, *b]\n  w: {}\n');
    expect(
      [...leaves].filter(([key]) => key.startsWith('mine')).map(([key, { text }]) => `${key} ${text}`),
    ).toEqual(['mine.w {}', 'mine.x.p 1', 'mine.z 5']);
    expect(() => yamlLeaves('a: 1\nb:\n  <<: 3\n')).toThrow('line 3: expected a map');
  });

  it('keeps every digit of whole numbers, and bytes as they are written', () => {
    const big = yamlLeaves('x: 9007199254740993');
    expect(big.get('x')).toMatchObject({ type: 'integer', text: '9007199254740993' });
    expect(differing(big, yamlLeaves('x: 9007199254740992'))).toEqual(['x']);
    expect(differing(big, jsonLeaves({ x: 9007199254740992 }))).toEqual([]);
    expect(yamlLeaves('x: !!binary aGk=').get('x')).toMatchObject({ type: 'text' });
    expect(differing(yamlLeaves('x: !!binary aGk='), yamlLeaves('x: null'))).toEqual(['x']);
  });

  it('counts the last override of a key', () => {
    expect(yamlLeaves('- a.b=1\n- a.b=2\n').get('a.b')?.text).toBe('2');
  });

  it('is refused where a second document follows, or a key is set with dots and nested as well', () => {
    expect(() => yamlLeaves('a: 1\n---\nb: 2\n')).toThrow(/^line 2: .*multiple documents/);
    expect(() => yamlLeaves('a.b: 1\na: {b: 2}\n')).toThrow('line 2: a.b is set twice');
  });

  it('reads ten thousand keys, and refuses what is nested too deeply', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(yamlLeaves(many).size).toBe(10_000);
    expect(() => yamlLeaves(`x: ${'['.repeat(30_000)}${']'.repeat(30_000)}`)).toThrow(AppError);
    expect(() => yamlLeaves(`${'- '.repeat(30_000)}a`)).toThrow(AppError);
  });

  it('is refused by line where it is broken, doubled or grows through aliases', () => {
    expect(() => yamlLeaves('a: 1\nb: [1, 2\n')).toThrow(/^line [23]: /);
    expect(() => yamlLeaves('a: 1\na: 2\n')).toThrow(/^line 2: .*unique/);
    expect(() => yamlLeaves('just words')).toThrow('line 1: expected keys with values');
    const bomb = [
      'a0: &a0 {x: 1}',
      ...Array.from({ length: 9 }, (_, index) => {
        const reference = Array.from({ length: 9 }, (_unused, item) => `k${item}: *a${index}`).join(', ');
        return `a${index + 1}: &a${index + 1} {${reference}}`;
      }),
    ];
    expect(() => yamlLeaves(bomb.join('\n'))).toThrow('aliases are followed');
  });
});
