/** A run in the terminal: one live line while it trains, then what its first and last checkpoint reached. */
import { setTimeout as sleep } from 'node:timers/promises';
import 'tsx';
import { drawLine, endLine } from './progress.mjs';

const { formatPercent, formatRate, formatReward, formatSeconds } = await import('../contract/format.ts');
const { isFinalStatus } = await import('../contract/run.ts');
const { activityWords, secondsLeft } = await import('../contract/run-view.ts');
const { wilson } = await import('../stats/wilson.ts');

const POLL_MS = 1_000;
const LOG_EVERY_MS = 15_000;

async function getJson(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

/** Follows until the run has ended or `signal` aborts. */
export async function followRun(url, runId, signal) {
  let drawnAt = 0;
  let drawn = '';
  while (!signal.aborted) {
    const { view } = await getJson(`${url}/api/v1/runs/${runId}`);
    const line = describe(view);
    const due = process.stdout.isTTY || (line !== drawn && Date.now() - drawnAt >= LOG_EVERY_MS);
    if (due || isFinalStatus(view.status)) {
      drawLine(line);
      drawn = line;
      drawnAt = Date.now();
    }
    if (isFinalStatus(view.status)) {
      endLine();
      if (view.reason) console.log(`${view.status}: ${view.reason}`);
      return printSummary(await getJson(`${url}/api/v1/runs/${runId}/evaluations`));
    }
    await sleep(POLL_MS, null, { signal }).catch(() => {});
  }
  endLine();
}

function describe(view) {
  const latest = (name) => view.latest[name]?.value;
  const percent = (name) =>
    latest(name) === undefined ? 'n/a' : `${formatPercent(numeric(latest(name)))} %`;
  const activity = view.activity ? `  ${activityWords(view.activity)}` : '';
  const left = secondsLeft(view);
  return (
    `${view.status}  step ${view.step}/${view.steps ?? 'n/a'}  reward ${formatReward(numeric(latest('reward/mean')))}` +
    `  success ${percent('rollout/success_rate')}  invalid ${percent('rollout/invalid_action_rate')}` +
    `  left ${formatSeconds(left)}${activity}`
  );
}

/** JSON carries NaN by name. */
function numeric(value) {
  return value === undefined ? null : Number(value);
}

/** One line a split and decoding: the first checkpoint measured and the last, on the same tasks. */
function printSummary(rows) {
  const measured = new Map();
  for (const { current, evaluation } of rows) {
    if (!current || evaluation.policy !== 'checkpoint') continue;
    const key = `${evaluation.split} ${evaluation.decoding} n=${evaluation.n}`;
    measured.set(
      key,
      [...(measured.get(key) ?? []), evaluation].sort((a, b) => a.step - b.step),
    );
  }
  for (const [key, evaluations] of measured) {
    const last = evaluations.length > 1 ? `  ->  ${success(evaluations.at(-1))}` : '';
    console.log(`${key.padEnd(28)} ${success(evaluations[0])}${last}`);
  }
}

function success({ step, successes, n, invalidActions, turns }) {
  const rate = formatRate(successes, n, wilson(successes, n));
  return `step ${step}: success ${rate} %, invalid actions ${formatPercent(invalidActions / turns)} %`;
}
