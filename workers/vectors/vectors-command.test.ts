import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { VECTOR_FUNCTIONS } from './registry';
import { vectorFunction } from './vector-function';
import { vectorsCommand } from './vectors-command';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden', 'rl');

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const FUNCTIONS = [
  vectorFunction('double', { x: z.number() }, ({ x }) => ({ y: 2 * x })),
  vectorFunction('half', { x: z.number() }, ({ x }) => ({ half: x / 2 })),
  vectorFunction('root', { x: z.number(), base: z.number() }, ({ x }) => {
    if (x < 0) throw new AppError('invalid_input', `x is ${x}`);
    if (x > 100) throw new RangeError('too far');
    return { y: Math.sqrt(x) };
  }),
];

type Case = [name: string, inputs: object, outputs: object];

function write(name: string, cases: readonly Case[]): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(
    path,
    JSON.stringify({
      tolerance: { relative: 0, absolute: 0.001 },
      cases: cases.map(([name, inputs, outputs]) => ({ name, inputs, outputs })),
    }),
  );
  return path;
}

const check = () => vectorsCommand(folder, FUNCTIONS, (line) => lines.push(line));

describe('vectorsCommand', () => {
  it('lists each file with its cases and ends with one line of sums', () => {
    const double = write('double', [
      ['one', { x: 1 }, { y: 2 }],
      ['two', { x: 2 }, { y: 4.0005 }],
    ]);
    const root = write('root', [['four', { x: 4, base: 2 }, { y: 2 }]]);
    expect(check()).toBe(true);
    expect(lines).toEqual([
      `${double}: 2 cases, 0 mismatches`,
      '  one',
      '  two',
      `${root}: 1 cases, 0 mismatches`,
      '  four',
      '3 cases, 0 mismatches',
    ]);
  });

  it('says where a case differs, and is not content', () => {
    write('double', [
      ['one', { x: 1 }, { y: 2 }],
      ['off', { x: 1 }, { y: 3 }],
      ['more', { x: 1 }, { y: 2, z: 1 }],
    ]);
    expect(check()).toBe(false);
    expect(lines.slice(1)).toEqual([
      '  one',
      '  off: MISMATCH y: expected 3, got 2',
      '  more: MISMATCH z: expected 1, got nothing',
      '3 cases, 2 mismatches',
    ]);
  });

  it('takes a refusal for the error that a case expects, and for nothing else', () => {
    write('root', [
      ['refused', { x: -1, base: 2 }, { error: 'ValueError' }],
      ['not refused', { x: 1, base: 2 }, { error: 'ValueError' }],
      ['refused for no reason', { x: -1, base: 2 }, { y: 1 }],
      ['broken', { x: 101, base: 2 }, { error: 'ValueError' }],
      ['of another form', { x: 'far', base: 2 }, { y: 1 }],
    ]);
    expect(check()).toBe(false);
    expect(lines.slice(1)).toEqual([
      '  refused',
      '  not refused: MISMATCH not refused; expected ValueError',
      '  refused for no reason: MISMATCH refused: x is -1',
      '  broken: MISMATCH failed: too far',
      expect.stringContaining('  of another form: MISMATCH refused: the case is not valid: inputs.x:'),
      '5 cases, 4 mismatches',
    ]);
  });

  it('knows a renamed file by the inputs and outputs of its cases', () => {
    write('a', [['one', { x: 1 }, { y: 2 }]]);
    write('b', [['one', { x: 1 }, { half: 0.5 }]]);
    write('c', [['refused', { x: -1, base: 2 }, { error: 'ValueError' }]]);
    expect(check()).toBe(true);
  });

  it('does not guess between two functions', () => {
    const path = write('renamed', [['one', { x: 1 }, {}]]);
    expect(check()).toBe(false);
    expect(lines[0]).toBe(
      `${path}: ERROR ${path} could hold cases of double and half; name it after one of them`,
    );
  });

  it('names a file of no known function, one that is no JSON and one of another form, and checks the others', () => {
    write('double', [['one', { x: 1 }, { y: 2 }]]);
    const unknown = write('unknown', [['one', { z: 1 }, { y: 2 }]]);
    const wrong = join(folder, 'root.json');
    writeFileSync(wrong, '{"cases": []}');
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');
    expect(check()).toBe(false);
    expect(lines.filter((line) => line.includes('ERROR'))).toEqual([
      expect.stringContaining(`${broken}: ERROR ${broken} cannot be read as JSON`),
      expect.stringContaining(`${wrong} is not valid: tolerance`),
      `${unknown}: ERROR ${unknown} holds cases of no known function; expected one of double, half, root`,
    ]);
    expect(lines.slice(-2)).toEqual([
      `not checked: ${broken}, ${wrong}, ${unknown}`,
      '1 cases, 0 mismatches',
    ]);
  });

  it('refuses a folder that is none or holds no vectors', () => {
    expect(check).toThrow('holds no *.json file');
    expect(() => vectorsCommand(join(folder, 'missing'), FUNCTIONS, () => {})).toThrow('is not a folder');
  });
});

describe.skipIf(!existsSync(GOLDEN))('our arithmetic on golden vectors (STEPSCOPE_DATA)', () => {
  it('agrees with every public implementation', () => {
    const agrees = vectorsCommand(GOLDEN, VECTOR_FUNCTIONS, (line) => lines.push(line));
    expect(lines.filter((line) => /MISMATCH|ERROR/.test(line))).toEqual([]);
    expect(agrees).toBe(true);
  });

  it('has a function for each file, and a file for each function', () => {
    const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.json'));
    expect(VECTOR_FUNCTIONS.map(({ name }) => `${name}.json`).sort()).toEqual(files.sort());
  });
});
