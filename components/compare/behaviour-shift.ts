import type { BehaviourCounts, ProbeShiftTask } from '@/contract/pair';
import { formatDecimals, formatDifference, formatPercent, formatRate, formatSigned } from '@/contract/format';
import { createRandom } from '@/rl/random';
import { bootstrapMean, bootstrapRate } from '@/stats/bootstrap';
import { comparisonVerdict, FEWEST_COMPARED, verdictWords } from '@/stats/comparison-verdict';
import { mcnemar } from '@/stats/mcnemar';
import { pairedNewcombe } from '@/stats/paired-newcombe';
import { bootstrapRateDifference } from '@/stats/paired-rate-difference';
import type { Estimate } from '@/stats/resampling';
import { signFlipTest } from '@/stats/sign-flip';
import { pairOutcomes, taskDifferences } from '@/stats/task-pairs';
import { wilson } from '@/stats/wilson';
import { pWords } from './compare-words';

/** Which trajectories of the probe are looked at: the greedy one of each task, or its samples. */
export type ShiftOf = 'greedy' | 'samples';

/** How one behaviour shifted between the two steps, in words and figures. */
export interface ShiftRow {
  name: string;
  unit: string;
  a: string;
  b: string;
  difference: string;
  verdict: string;
  method: string;
  /** Tasks with the behaviour's figures on both sides. */
  n: number;
}

const SEED = 20261130;

interface TaskPair {
  taskId: string;
  a: BehaviourCounts;
  b: BehaviourCounts;
}

/** Tasks with trajectories on both sides. */
export function pairedTasks(tasks: readonly ProbeShiftTask[], of: ShiftOf): TaskPair[] {
  return tasks.flatMap(({ taskId, a, b }) => {
    const [sideA, sideB] = [a[of], b[of]];
    return sideA && sideB ? [{ taskId, a: sideA, b: sideB }] : [];
  });
}

/** Trajectories of the paired tasks that an error ended, and of how many, by side. */
export function erroredOf(
  tasks: readonly ProbeShiftTask[],
  of: ShiftOf,
): { a: number; b: number; n: number } {
  const pairs = pairedTasks(tasks, of);
  const sum = (count: (pair: TaskPair) => number) => pairs.reduce((all, pair) => all + count(pair), 0);
  return {
    a: sum(({ a }) => a.errored),
    b: sum(({ b }) => b.errored),
    n: sum(({ a, b }) => a.trajectories + b.trajectories),
  };
}

/** The shift of each behaviour over the tasks that were played on both sides; none without such a task. */
export function behaviourShift(tasks: readonly ProbeShiftTask[], of: ShiftOf): ShiftRow[] {
  const pairs = pairedTasks(tasks, of);
  if (pairs.length === 0) return [];
  const share = of === 'greedy' ? trajectoryShare : sampleShare;
  return [
    share('Success', pairs, (counts) => counts.successes),
    share('One-shot success, won on turn 1', pairs, (counts) => counts.oneShot),
    share('With a loop', pairs, (counts) => counts.looping),
    turnShare('Grounded actions', pairs, (counts) => ({ count: counts.grounded, outOf: counts.listedTurns })),
    turnShare('Refused actions', pairs, (counts) => ({ count: counts.invalid, outOf: counts.turns })),
    turnShare('No-op actions', pairs, (counts) => ({ count: counts.noOp, outOf: counts.judgedTurns })),
    lengthShift(pairs),
  ];
}

type Count = (counts: BehaviourCounts) => number;

/** Trajectories with a mark, one trajectory per task and side. */
function trajectoryShare(name: string, pairs: readonly TaskPair[], count: Count): ShiftRow {
  const side = (which: 'a' | 'b') => new Map(pairs.map((pair) => [pair.taskId, count(pair[which]) > 0]));
  const outcomes = pairOutcomes(side('a'), side('b'));
  const { both, gained, lost } = outcomes;
  const n = pairs.length;
  const interval = pairedNewcombe(outcomes);
  const { pValue } = mcnemar(gained, lost);
  return {
    name,
    unit: 'k/n trajectories, % [95% Wilson]',
    a: formatRate(both + lost, n, wilson(both + lost, n)),
    b: formatRate(both + gained, n, wilson(both + gained, n)),
    difference: formatDifference(interval),
    verdict: shareVerdict(n, interval.difference, pValue < 0.05),
    method: [`${gained} gained, ${lost} lost`, 'paired Newcombe', ...testedBy(n, gained + lost, pValue)].join(
      '; ',
    ),
    n,
  };
}

/** The test of paired outcomes; none of fewer tasks than are compared. */
function testedBy(n: number, discordant: number, pValue: number): string[] {
  if (n < FEWEST_COMPARED) return [];
  return [discordant === 0 ? 'no discordant tasks, p = 1' : `exact McNemar ${pWords(pValue)}`];
}

/** Trajectories with a mark, several per task: their share within each task, then over tasks. */
function sampleShare(name: string, pairs: readonly TaskPair[], count: Count): ShiftRow {
  const shares = (which: 'a' | 'b') => pairs.map((pair) => count(pair[which]) / pair[which].trajectories);
  const [before, after] = [shares('a'), shares('b')];
  const differences = differencesOf(pairs, before, after);
  const estimate = bootstrapMean(differences, createRandom(SEED));
  const { pValue } = signFlipTest(differences, createRandom(SEED));
  return {
    name,
    unit: 'mean over tasks, % [95% bootstrap of tasks]',
    a: percentWords(bootstrapMean(before, createRandom(SEED))),
    b: percentWords(bootstrapMean(after, createRandom(SEED))),
    difference: formatDifference({ ...estimate, difference: estimate.estimate }),
    verdict: shareVerdict(pairs.length, estimate.estimate, pValue < 0.05),
    method: [
      'means within tasks, bootstrap of tasks',
      ...(pairs.length < FEWEST_COMPARED ? [] : [`sign-flip ${pWords(pValue)}`]),
    ].join('; '),
    n: pairs.length,
  };
}

/** A share of turns; a task without turns to judge on either side has none and is left out. */
function turnShare(
  name: string,
  pairs: readonly TaskPair[],
  share: (counts: BehaviourCounts) => { count: number; outOf: number },
): ShiftRow {
  const judged = pairs
    .map(({ a, b }) => ({ before: share(a), after: share(b) }))
    .filter(({ before, after }) => before.outOf > 0 && after.outOf > 0);
  const unit = '% of turns [95% bootstrap of tasks]';
  const n = judged.length;
  if (n === 0)
    return {
      name,
      unit,
      a: 'n/a',
      b: 'n/a',
      difference: 'n/a',
      verdict: 'n/a',
      method: 'no turn to judge',
      n,
    };
  const side = (which: 'before' | 'after') =>
    percentWords(
      bootstrapRate(
        judged.map((task) => task[which]),
        createRandom(SEED),
      ),
    );
  const estimate = bootstrapRateDifference(judged, createRandom(SEED));
  return {
    name,
    unit,
    a: side('before'),
    b: side('after'),
    difference: formatDifference({ ...estimate, difference: estimate.estimate }),
    verdict: shareVerdict(n, estimate.estimate, lacksZero(estimate)),
    method: 'turns of a task stay together: bootstrap of tasks',
    n,
  };
}

function lengthShift(pairs: readonly TaskPair[]): ShiftRow {
  const lengths = (which: 'a' | 'b') => pairs.map((pair) => pair[which].turns / pair[which].trajectories);
  const [before, after] = [lengths('a'), lengths('b')];
  const estimate = bootstrapMean(differencesOf(pairs, before, after), createRandom(SEED));
  const n = pairs.length;
  return {
    name: 'Length',
    unit: 'turns, mean over tasks [95% bootstrap of tasks]',
    a: turnWords(bootstrapMean(before, createRandom(SEED))),
    b: turnWords(bootstrapMean(after, createRandom(SEED))),
    difference: `${formatSigned(estimate.estimate, 1)} [${formatDecimals(estimate.low, 1)}, ${formatDecimals(estimate.high, 1)}]`,
    verdict: lengthVerdict(n, estimate),
    method: 'means within tasks, bootstrap of tasks',
    n,
  };
}

function differencesOf(
  pairs: readonly TaskPair[],
  before: readonly number[],
  after: readonly number[],
): number[] {
  const byTask = (values: readonly number[]) =>
    new Map(pairs.map(({ taskId }, index) => [taskId, [values[index] ?? NaN]]));
  return taskDifferences(byTask(before), byTask(after));
}

function shareVerdict(n: number, difference: number, rejected: boolean): string {
  const evidence = { paired: true, smallestDifference: null, equivalentWithin: null };
  return verdictWords(
    comparisonVerdict({ n, difference, rejected: rejected && difference !== 0, ...evidence }),
  );
}

/** Turns are no fraction: the same rule, the interval of the difference standing in for the test. */
function lengthVerdict(n: number, estimate: Estimate): string {
  if (n < FEWEST_COMPARED) return verdictWords({ kind: 'not_compared', n });
  if (!lacksZero(estimate))
    return verdictWords({ kind: 'not_distinguishable', paired: true, smallestDifference: null });
  return verdictWords({ kind: estimate.estimate > 0 ? 'higher' : 'lower' });
}

function lacksZero({ low, high }: Estimate): boolean {
  return low > 0 || high < 0;
}

function percentWords({ estimate, low, high }: Estimate): string {
  return `${formatPercent(estimate)} [${formatPercent(low)}, ${formatPercent(high)}]`;
}

function turnWords({ estimate, low, high }: Estimate): string {
  return `${formatDecimals(estimate, 1)} [${formatDecimals(low, 1)}, ${formatDecimals(high, 1)}]`;
}
