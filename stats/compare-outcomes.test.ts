import { describe, expect, it } from 'vitest';
import { compareOutcomes, outcomeVerdict, type SideOutcomes, type TaskOutcomes } from './compare-outcomes';
import { verdictWords } from './comparison-verdict';
import { mcnemar } from './mcnemar';
import { seededRandom } from './testing/seeded-random';

const count = (k: number, n: number): SideOutcomes => ({ kind: 'count', k, n });
const tasks = (outcomes: TaskOutcomes): SideOutcomes => ({ kind: 'tasks', outcomes });

/** Sides on the same tasks, one trajectory each, with the counts of the four kinds. */
function sides({ both, gained, lost, neither }: Record<'both' | 'gained' | 'lost' | 'neither', number>) {
  const before = new Map<string, boolean[]>();
  const after = new Map<string, boolean[]>();
  const add = (name: string, many: number, wonBefore: boolean, wonAfter: boolean) => {
    for (let index = 0; index < many; index++) {
      before.set(`${name} ${index}`, [wonBefore]);
      after.set(`${name} ${index}`, [wonAfter]);
    }
  };
  add('both', both, true, true);
  add('gained', gained, false, true);
  add('lost', lost, true, false);
  add('neither', neither, false, false);
  return { before, after };
}

function compare(before: SideOutcomes, after: SideOutcomes) {
  const comparison = compareOutcomes(before, after, seededRandom(1));
  if (!comparison) throw new Error('nothing was compared');
  return comparison;
}

const words = (before: SideOutcomes, after: SideOutcomes) =>
  verdictWords(outcomeVerdict(compare(before, after)));

describe('published counts, whose tasks are not known', () => {
  it.each([
    ['AgentGym-RL, 3/4 to 1/4', count(3, 4), count(1, 4), 'n = 4, not compared'],
    [
      'agentic-rl-lab unseen, 71 to 79 of 134',
      count(71, 134),
      count(79, 134),
      'not distinguishable, unpaired (could see >= 17.1 pp)',
    ],
    [
      'agentic-rl-lab seen, 74 to 80 of 140',
      count(74, 140),
      count(80, 140),
      'not distinguishable, unpaired (could see >= 16.7 pp)',
    ],
    [
      'BabyAI-Text, 37 to 39 of 50',
      count(37, 50),
      count(39, 50),
      'not distinguishable, unpaired (could see >= 28.0 pp)',
    ],
    ['StraTA, 1 to 121 of 140', count(1, 140), count(121, 140), 'higher'],
  ])('%s: %s', (_name, before, after, said) => {
    expect(words(before, after)).toBe(said);
  });

  it('give the unpaired interval, +5.97 pp [−5.8, 17.6], and no task by task change', () => {
    const { method, difference, changes } = compare(count(71, 134), count(79, 134));
    expect(method).toBe('newcombe');
    expect(changes).toBeNull();
    expect(difference.difference * 100).toBeCloseTo(5.97, 2);
    expect(difference.low * 100).toBeCloseTo(-5.8, 1);
    expect(difference.high * 100).toBeCloseTo(17.6, 1);
  });

  it('against known tasks stay unpaired', () => {
    const { before } = sides({ both: 71, gained: 0, lost: 0, neither: 63 });
    expect(words(tasks(before), count(79, 134))).toBe('not distinguishable, unpaired (could see >= 17.1 pp)');
  });
});

describe('the same tasks with one trajectory a side', () => {
  it('are tested by exact McNemar and listed by what became of them', () => {
    const { before, after } = sides({ both: 59, gained: 20, lost: 12, neither: 43 });
    const comparison = compare(tasks(before), tasks(after));
    expect(comparison.method).toBe('mcnemar');
    expect(comparison.n).toBe(134);
    expect(comparison.pValue).toBe(mcnemar(20, 12).pValue);
    expect(comparison.difference.difference).toBeCloseTo(8 / 134, 12);
    expect(comparison.changes?.gained).toHaveLength(20);
    expect(comparison.changes?.lost[0]).toBe('lost 0');
    expect(comparison.changes?.both).toHaveLength(59);
    expect(comparison.changes?.neither).toHaveLength(43);
    // 2.8 * sqrt((32 / 134) / 134)
    expect(verdictWords(outcomeVerdict(comparison))).toBe('not distinguishable (could see >= 11.8 pp)');
  });

  it('are higher or lower where the p-value is below .05, and not where Holm lifts it', () => {
    const { before, after } = sides({ both: 60, gained: 27, lost: 9, neither: 38 });
    const comparison = compare(tasks(before), tasks(after));
    expect(outcomeVerdict(comparison).kind).toBe('higher');
    expect(outcomeVerdict(comparison, 0.06).kind).toBe('not_distinguishable');
    expect(outcomeVerdict(compare(tasks(after), tasks(before))).kind).toBe('lower');
  });

  it('have no smallest difference where no task differs', () => {
    const { before, after } = sides({ both: 20, gained: 0, lost: 0, neither: 20 });
    const comparison = compare(tasks(before), tasks(after));
    expect(comparison.pValue).toBe(1);
    expect(comparison.smallestDifference).toBeNull();
  });

  it('are paired on the shared ones, and those of one side alone are named', () => {
    const { before, after } = sides({ both: 20, gained: 6, lost: 4, neither: 10 });
    before.set('old', [true]);
    after.set('new 1', [true]);
    after.set('new 2', [false]);
    const comparison = compare(tasks(before), tasks(after));
    expect(comparison).toMatchObject({
      method: 'mcnemar',
      n: 40,
      onlyBefore: ['old'],
      onlyAfter: ['new 1', 'new 2'],
    });
  });
});

describe('several trajectories a task', () => {
  it('are averaged within their task, and the tasks tested', () => {
    const before = new Map<string, boolean[]>();
    const after = new Map<string, boolean[]>();
    for (let task = 0; task < 40; task++) {
      before.set(`${task}`, [task % 2 === 0, false]);
      after.set(`${task}`, [true, task % 2 === 0, task < 4]);
    }
    const comparison = compare(tasks(before), tasks(after));
    expect(comparison.method).toBe('sign_flip');
    expect(comparison.n).toBe(40);
    // Even tasks: 1/2 to 2/3, odd ones: 0 to 1/3; the first four one in three more.
    expect(comparison.difference.difference).toBeCloseTo((20 * (1 / 6) + 20 * (1 / 3) + 4 / 3) / 40, 12);
    expect(comparison.pValue).toBeLessThan(0.001);
    expect(comparison.changes?.gained).toHaveLength(40);
  });

  it('that a task won as often as before are neither gained nor lost', () => {
    const half = new Map(Array.from({ length: 30 }, (_, task) => [`${task}`, [true, false]] as const));
    const { changes, pValue } = compare(tasks(half), tasks(half));
    expect(changes?.mixed).toHaveLength(30);
    expect(pValue).toBe(1);
  });

  it('on different tasks resample both sides', () => {
    const played = (name: string, won: readonly boolean[]) =>
      tasks(new Map(Array.from({ length: 40 }, (_, task) => [`${name} ${task}`, won] as const)));
    const comparison = compare(played('a', [true, false]), played('b', [true, true]));
    expect(comparison).toMatchObject({ method: 'bootstrap', n: 40, pValue: null, changes: null });
    expect(comparison.difference).toEqual({ difference: 0.5, low: 0.5, high: 0.5 });
    expect(outcomeVerdict(comparison).kind).toBe('higher');
  });
});

it('without a trajectory on either side nothing is compared', () => {
  expect(compareOutcomes(count(0, 0), count(3, 40), seededRandom(1))).toBeNull();
  expect(compareOutcomes(tasks(new Map()), count(3, 40), seededRandom(1))).toBeNull();
});
