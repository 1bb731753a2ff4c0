/** Test lanes in series: each prints its own report, all are counted from the runners' JSON reports. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureChromium } from './chromium.mjs';
import { binOf, CHILD_ENV, ROOT } from './project.mjs';
import { formatElapsed } from './progress.mjs';

/** One Vitest call over some of its projects. */
export function vitestLane(name, projects) {
  return {
    name,
    async run(reportFile) {
      const chosen = projects.flatMap((project) => ['--project', project]);
      const code = await runHere(
        [
          binOf('vitest', 'vitest.mjs'),
          'run',
          ...chosen,
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${reportFile}`,
        ],
        CHILD_ENV,
      );
      const report = readReport(reportFile);
      return { ...countVitest(report, code), failures: failuresOfVitest(report) };
    },
  };
}

/** Journeys in a real browser: one of Playwright's projects, with a data folder of its own. */
export function browserLane(name, project) {
  return {
    name,
    async run(reportFile) {
      await ensureBuild();
      const chromium = await ensureChromium();
      if (chromium === null)
        return { passed: 0, failed: 1, skipped: 0, failures: ['no Chromium to test with'] };
      const home = mkdtempSync(join(tmpdir(), 'stepscope-browser-'));
      // The database's own user has to reach its folder in there.
      chmodSync(home, 0o755);
      const code = await runHere(
        [binOf('@playwright/test', 'cli.js'), 'test', `--project=${project}`, '--reporter=list,json'],
        {
          ...CHILD_ENV,
          CHROMIUM_PATH: chromium,
          PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile,
          STEPSCOPE_E2E_HOME: home,
        },
      );
      rmSync(home, { recursive: true, force: true });
      const report = readReport(reportFile);
      return { ...countPlaywright(report, code), failures: failuresOfPlaywright(report) };
    },
  };
}

/**
 * Runs the lanes one after another and ends the process; the last line is `N passed, N failed`. What failed is
 * named above it, a line `FAILED lane: test: reason` each: a CI that keeps only the end of a log keeps these.
 */
export async function runLanes(lanes) {
  await ensureInstall();
  const folder = mkdtempSync(join(tmpdir(), 'stepscope-test-'));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const lines = [];
  const failures = [];
  for (const lane of lanes) {
    console.log(`\n=== ${lane.name}`);
    const startedAt = Date.now();
    const counts = await lane.run(join(folder, `${lane.name}.json`));
    for (const key of Object.keys(total)) total[key] += counts[key];
    const named = counts.failures.length > 0 || counts.failed === 0 ? counts.failures : [NAMELESS];
    failures.push(...named.map((failure) => `FAILED ${lane.name}: ${failure}`));
    lines.push(
      `${lane.name.padEnd(10)} ${formatElapsed(Date.now() - startedAt).padStart(9)}  ${describe(counts)}`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${[...failures, ...lines].join('\n')}`);
  console.log(describe(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

export function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

/** A runner that failed without a failed test (a file that does not load, no report) counts as one failure. */
export function countVitest(report, code) {
  const counts = {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
  const unloadable = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  counts.failed += unloadable.length;
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

export function countPlaywright(report, code) {
  const stats = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
  // A test that passed only when tried again is not a passed test.
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped };
}

const NAMELESS = 'the lane failed without a failed test: its log above says why';

/** A line for each test that failed, and for each file that did not load. */
export function failuresOfVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    if (file.status !== 'failed') return [];
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0) return [failureLine(relative(ROOT, file.name), file.message)];
    return tests.map((test) =>
      failureLine(`${relative(ROOT, file.name)}: ${test.fullName}`, test.failureMessages[0]),
    );
  });
}

/** A line for each test that failed or passed only when tried again, and for what kept tests from running. */
export function failuresOfPlaywright(report) {
  const ofSuite = (suite) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map((test) => failureLine(`${spec.file}: ${spec.title}`, firstError(test))),
    ),
    ...(suite.suites ?? []).flatMap(ofSuite),
  ];
  const around = (report?.errors ?? []).map(({ message }) => failureLine('Playwright', message));
  return [...around, ...(report?.suites ?? []).flatMap(ofSuite)];
}

function firstError(test) {
  return test.results.find(({ error }) => error !== undefined)?.error.message;
}

function failureLine(name, message) {
  const reason = stripVTControlCharacters(message ?? 'no reason given').trim();
  return `${name}: ${reason.replace(/\s+/g, ' ').slice(0, 400)}`;
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function runHere(nodeArguments, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, nodeArguments, { cwd: ROOT, env, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
