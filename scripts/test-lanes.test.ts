import { describe, expect, it } from 'vitest';
import { missingPackages } from './ensure-install.mjs';
import {
  countPlaywright,
  countVitest,
  describe as inWords,
  failuresOfPlaywright,
  failuresOfVitest,
} from './test-lanes.mjs';

const vitestReport = (changes: object) => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...changes,
});

describe('the counts of a lane', () => {
  it('are those of the report', () => {
    const report = vitestReport({ numFailedTests: 2, numPendingTests: 3 });
    expect(countVitest(report, 1)).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });

  it('take a file that does not load for a failure', () => {
    const report = vitestReport({ testResults: [{ status: 'failed', assertionResults: [] }] });
    expect(countVitest(report, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('do not count a file twice whose tests failed', () => {
    const file = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    expect(countVitest(vitestReport({ numFailedTests: 1, testResults: [file] }), 1).failed).toBe(1);
  });

  it('take a runner that fails without saying why for a failure', () => {
    expect(countVitest(vitestReport({}), 1).failed).toBe(1);
    expect(countVitest(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countPlaywright(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('take a browser test that passed at the second try for a failure', () => {
    const stats = { expected: 4, unexpected: 0, flaky: 1, skipped: 2 };
    expect(countPlaywright({ stats }, 0)).toEqual({ passed: 4, failed: 1, skipped: 2 });
  });

  it('end in one line', () => {
    expect(inWords({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(inWords({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });
});

describe('what failed in a lane', () => {
  it('is named with the first of its reasons, in one line', () => {
    const failed = {
      status: 'failed',
      fullName: 'a die is fair',
      failureMessages: ['\u001b[31mexpected 3\n  to be 6'],
    };
    const passed = { status: 'passed', fullName: 'a coin is fair', failureMessages: [] };
    const file = {
      status: 'failed',
      name: `${process.cwd()}/x/die.test.ts`,
      assertionResults: [passed, failed],
    };
    expect(failuresOfVitest(vitestReport({ testResults: [file] }))).toEqual([
      'x/die.test.ts: a die is fair: expected 3 to be 6',
    ]);
  });

  it('is the file where it does not load, and nothing where there is no report', () => {
    const file = {
      status: 'failed',
      name: `${process.cwd()}/x/die.test.ts`,
      message: 'no such module',
      assertionResults: [],
    };
    expect(failuresOfVitest(vitestReport({ testResults: [file] }))).toEqual([
      'x/die.test.ts: no such module',
    ]);
    expect(failuresOfVitest(null)).toEqual([]);
    expect(failuresOfPlaywright(null)).toEqual([]);
  });

  it('is every browser test that did not pass at once, at any depth, and what kept them from running', () => {
    const spec = (title: string, status: string, results: object[]) => ({
      file: 'launch.spec.ts',
      title,
      tests: [{ status, results }],
    });
    const report = {
      errors: [{ message: 'no server' }],
      suites: [
        {
          specs: [spec('starts', 'expected', [{}])],
          suites: [{ specs: [spec('stops', 'flaky', [{ error: { message: 'timed out' } }, {}])] }],
        },
      ],
    };
    expect(failuresOfPlaywright(report)).toEqual([
      'Playwright: no server',
      'launch.spec.ts: stops: timed out',
    ]);
  });
});

describe('what is missing of an install', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  };
  const missing = (packages: Record<string, { version: string }> | null) =>
    missingPackages(lock, packages && { packages }).map(([path]: [string, unknown]) => path);

  it('is everything that must be there, where nothing is installed', () => {
    expect(missing(null)).toEqual(['node_modules/a']);
  });

  it('is nothing where the versions agree, with or without optional packages', () => {
    expect(missing({ 'node_modules/a': { version: '1.0.0' } })).toEqual([]);
  });

  it('is what has another version, optional or not', () => {
    const installed = { 'node_modules/a': { version: '1.0.1' }, 'node_modules/b': { version: '1.9.0' } };
    expect(missing(installed)).toEqual(['node_modules/a', 'node_modules/b']);
  });
});
