import { describe, expect, it } from 'vitest';
import type { Comparison } from '@/contract/compare';
import type { Split } from '@/contract/trajectory';
import { aCheckpoint, aComparison, agenticRlLab, aTrajectory, counted, playedOut } from './compare-fixtures';
import { readCompareState } from './compare-state';
import { compareTable, type CompareTable } from './compare-table';
import {
  againstWords,
  countNotes,
  differenceWords,
  pairingWords,
  sharedWords,
  powerSentences,
  pWords,
  standingSentence,
  testWords,
  verdictSentences,
} from './compare-words';
import { seedSpreads } from './seed-spread';

function tableOf(comparison: Comparison, search = ''): CompareTable {
  const table = compareTable(comparison, readCompareState(new URLSearchParams(search)));
  for (;;) {
    const step = table.next();
    if (step.done) return step.value;
  }
}

const cellOf = (table: CompareTable, row: number, split: Split) => {
  const cell = table.rows[row]?.cells.get(split);
  if (!cell) throw new Error(`row ${row} was not evaluated on ${split}`);
  return cell;
};

const against = (table: CompareTable, row: number, split: Split) => {
  const found = cellOf(table, row, split).against;
  if (!found) throw new Error('the baseline has no comparison');
  return found;
};

/** Outcomes of the same tasks before and after, by how many are of each kind. */
function outcomes(both: number, gained: number, lost: number, neither: number) {
  const repeat = (times: number, won: boolean) => new Array<boolean>(times).fill(won);
  return {
    before: [
      ...repeat(both, true),
      ...repeat(gained, false),
      ...repeat(lost, true),
      ...repeat(neither, false),
    ],
    after: [
      ...repeat(both, true),
      ...repeat(gained, true),
      ...repeat(lost, false),
      ...repeat(neither, false),
    ],
  };
}

describe('published counts', () => {
  it('of agentic-rl-lab disagree on who is highest, and no difference is told apart', () => {
    const table = tableOf(agenticRlLab());
    expect(verdictSentences(table)).toEqual([
      'No checkpoint is distinguishable from Step 0 on either split.',
    ]);
    expect(standingSentence(table.standings)).toBe(
      'valid_seen is highest at Step 40 (57.1%), valid_unseen is highest at Step 80 (59.0%). The splits disagree and not every difference is told apart from chance, so none is called best.',
    );
    const unseen = against(table, 2, 'valid_unseen');
    if (unseen.kind !== 'compared') throw new Error('expected a comparison');
    expect(differenceWords(unseen.comparison)).toBe('+5.97 pp');
    expect(againstWords(unseen)).toBe('not distinguishable, unpaired (could see >= 17.1 pp)');
    expect(pairingWords(unseen.comparison)).toBe('unpaired');
    expect(powerSentences(table)[1]).toBe(
      'valid_unseen: with n = 134 a side, unpaired, the smallest difference found with 80% power is 17.1 pp. The largest here is +5.97 pp.',
    );
  });

  it.each([
    ['AgentGym-RL', counted(3, 4), counted(1, 4), 'n = 4, not compared'],
    ['BabyAI-Text', counted(37, 50), counted(39, 50), 'not distinguishable, unpaired (could see >= 28.0 pp)'],
    ['StraTA', counted(1, 140), counted(121, 140), 'higher'],
  ])('of %s read as the source allows', (_name, before, after, said) => {
    const table = tableOf(aComparison([aCheckpoint(0, [before]), aCheckpoint(1, [after])]));
    expect(againstWords(against(table, 1, 'valid_seen'))).toBe(said);
  });

  it('with several seeds are compared by the baseline’s seed, and the others are named', () => {
    const seeds = [
      counted(123, 140, { seed: 1 }),
      counted(121, 140, { seed: 42 }),
      counted(120, 140, { seed: 2 }),
    ];
    const table = tableOf(
      aComparison([aCheckpoint(0, [counted(1, 140, { seed: 42 })]), aCheckpoint(150, seeds)]),
    );
    const { played } = cellOf(table, 1, 'valid_seen');
    expect([played.k, played.n, played.evaluations.length]).toEqual([121, 140, 3]);
    expect(countNotes(played)).toEqual(['2 more seeds not in it']);
  });
});

describe('the same tasks', () => {
  const { before, after } = outcomes(59, 20, 12, 43);
  const comparison = aComparison([aCheckpoint(0, [playedOut(before)]), aCheckpoint(80, [playedOut(after)])]);

  it('are paired, with the p-value beside gained and lost', () => {
    const found = against(tableOf(comparison), 1, 'valid_seen');
    if (found.kind !== 'compared') throw new Error('expected a comparison');
    expect(pairingWords(found.comparison)).toBe('20 gained, 12 lost');
    expect(testWords(found, false)).toBe('exact McNemar p = .22');
  });

  it('alone are what a difference is of where one side played more, which is said with their rates', () => {
    const wonFirst = (won: number, n: number) => Array.from({ length: n }, (_, task) => task < won);
    const partly = tableOf(
      aComparison([
        aCheckpoint(0, [playedOut(wonFirst(30, 60))]),
        aCheckpoint(80, [playedOut(wonFirst(35, 40))]),
      ]),
    );
    const found = against(partly, 1, 'valid_seen');
    const whole = against(tableOf(comparison), 1, 'valid_seen');
    if (found.kind !== 'compared' || whole.kind !== 'compared') throw new Error('expected comparisons');
    expect(differenceWords(found.comparison)).toBe('+12.50 pp');
    expect(sharedWords(found.comparison)).toBe('of 40 shared tasks: 75.0 to 87.5 %');
    expect(sharedWords(whole.comparison)).toBeNull();
  });

  it('count trajectories that ended in an error as failures, or leave them out', () => {
    const evaluation = playedOut([true, false, false]);
    const errored = evaluation.trajectories[1];
    if (errored) errored.stopReason = 'error';
    const table = (search: string) => tableOf(aComparison([aCheckpoint(0, [evaluation])]), search);
    expect(cellOf(table(''), 0, 'valid_seen').played).toMatchObject({ k: 1, n: 3, errors: 1, truncated: 1 });
    expect(cellOf(table('errors=out'), 0, 'valid_seen').played).toMatchObject({ k: 1, n: 2, errors: 1 });
  });

  it('of several evaluation seeds are averaged within their task', () => {
    const again = playedOut(after, { seed: 2 });
    const table = tableOf(
      aComparison([aCheckpoint(0, [playedOut(before)]), aCheckpoint(80, [playedOut(after), again])]),
    );
    const cell = cellOf(table, 1, 'valid_seen');
    expect(cell.played).toMatchObject({ k: 158, n: 268, tasks: 134 });
    expect(cell.rate?.method).toBe('bootstrap');
    const found = against(table, 1, 'valid_seen');
    expect(found.kind === 'compared' && found.comparison.method).toBe('sign_flip');
  });

  it('of repeats of one seed are counted once, by the newest, and the repeats are named', () => {
    const again = (runId: string, won: boolean[], seed = 1) => ({ ...playedOut(won, { seed }), runId });
    const checkpoint = aCheckpoint(0, [
      again('r-0002', [true, false]),
      again('r-0010', [true, true]),
      again('r-0009', [false, false]),
      again('r-0003', [true, false], 11),
    ]);
    const table = tableOf(aComparison([checkpoint]));
    const { played } = cellOf(table, 0, 'valid_seen');
    expect([played.k, played.n]).toEqual([3, 4]);
    expect(countNotes(played)).toContain('2 repeats of seed 1 not counted: r-0002, r-0009');
    expect(seedSpreads(table)[0]?.evaluation).toEqual([
      { seed: 1, percent: 100 },
      { seed: 11, percent: 50 },
    ]);
  });

  it('of greedy evaluations are counted once, whatever their seed', () => {
    const greedy = (runId: string, seed: number) => ({
      ...playedOut([true, false], { seed, decoding: 'greedy', temperature: null }),
      runId,
    });
    const table = tableOf(aComparison([aCheckpoint(0, [greedy('r-0001', 1), greedy('r-0002', 2)])]));
    const { played } = cellOf(table, 0, 'valid_seen');
    expect([played.k, played.n]).toEqual([1, 2]);
    expect(countNotes(played)).toContain('1 repeat of the greedy evaluation not counted: r-0001');
  });

  it('of an evaluation that played the first of them with the seed of a larger one are counted once', () => {
    const onAll = { ...playedOut([true, false, true, false], { splitHash: 'all' }), runId: 'r-0002' };
    const inTraining = playedOut([true, false], { splitHash: 'first' });
    const otherTasks = playedOut([true], { splitHash: 'other' });
    otherTasks.trajectories[0] = aTrajectory('valid_seen:9', true);
    const { played } = cellOf(
      tableOf(aComparison([aCheckpoint(0, [inTraining, onAll, otherTasks])])),
      0,
      'valid_seen',
    );
    expect(played).toMatchObject({ k: 3, n: 5, tasks: 5 });
    expect(played.repeats).toEqual([{ seed: 1, runId: 'r-0001' }]);
  });

  it('of many repeats name the first runs and count the others', () => {
    const again = Array.from({ length: 8 }, (_, run) => ({ ...playedOut([true]), runId: `r-000${run}` }));
    const { played } = cellOf(tableOf(aComparison([aCheckpoint(0, again)])), 0, 'valid_seen');
    expect(countNotes(played)).toContain(
      '7 repeats of seed 1 not counted: r-0000, r-0001, r-0002, r-0003, r-0004 and 2 more runs',
    );
  });

  it('are compared by counts where not all of their trajectories are stored', () => {
    const partly = playedOut(after);
    partly.trajectories.pop();
    const table = tableOf(aComparison([aCheckpoint(0, [playedOut(before)]), aCheckpoint(80, [partly])]));
    const { played } = cellOf(table, 1, 'valid_seen');
    expect(played).toMatchObject({ k: 79, n: 134, byTask: null, notStored: 1 });
    expect(countNotes(played)).toContain('1 of 134 trajectories not stored, so counts alone');
  });
});

describe('unlike settings', () => {
  const comparison = aComparison([
    aCheckpoint(0, [counted(50, 100, { decoding: 'greedy', temperature: 0 })]),
    aCheckpoint(40, [counted(90, 100, { temperature: 0.7 })]),
  ]);

  it('are named and not compared', () => {
    const table = tableOf(comparison);
    expect(againstWords(against(table, 1, 'valid_seen'))).toBe(
      'Not compared: greedy against temperature 0.7.',
    );
    expect(table.comparisons).toBe(0);
    expect(verdictSentences(table)).toEqual(['No checkpoint was evaluated as Step 0 was.']);
  });

  it('are compared anyway on demand, and still named', () => {
    const found = against(tableOf(comparison, 'anyway=1'), 1, 'valid_seen');
    expect(found.kind === 'compared' && found.differences.map(({ words }) => words)).toEqual([
      'greedy against temperature 0.7',
    ]);
    expect(againstWords(found)).toBe('higher');
  });

  it('of one checkpoint are chosen as the baseline was evaluated', () => {
    const table = tableOf(
      aComparison([
        aCheckpoint(0, [counted(50, 100, { decoding: 'greedy', temperature: 0 })]),
        aCheckpoint(40, [counted(90, 100), counted(60, 100, { decoding: 'greedy', temperature: 0 })]),
      ]),
    );
    const { played } = cellOf(table, 1, 'valid_seen');
    expect([played.k, countNotes(played)]).toEqual([60, ['1 evaluation under other settings not shown']]);
  });
});

it('a success that was marked as saying nothing is hidden with its reason, and takes part in nothing', () => {
  const hidden = { success_rate: 'hidden: success_rate = 1.0 always' };
  const table = tableOf(
    aComparison([
      aCheckpoint(0, [counted(50, 100)]),
      aCheckpoint(5, [{ ...counted(100, 100), hidden }]),
      aCheckpoint(9, [counted(60, 100)]),
    ]),
  );
  expect(cellOf(table, 1, 'valid_seen').rate).toBeNull();
  expect(againstWords(against(table, 1, 'valid_seen'))).toBe('hidden: success_rate = 1.0 always');
  expect(table.comparisons).toBe(1);
  expect(table.standings[0]?.highest.map(({ title }) => title)).toEqual(['Step 9']);
});

it('checkpoints that are as high as each other are named together, and disagree with no split that names one of them', () => {
  const both = (seen: number, unseen: number) => [
    counted(seen, 100, { split: 'valid_seen' }),
    counted(unseen, 100, { split: 'valid_unseen' }),
  ];
  const { standings } = tableOf(aComparison([aCheckpoint(0, both(50, 40)), aCheckpoint(5, both(50, 50))]));
  const sentence = standingSentence(standings);
  expect(sentence).toContain('valid_seen is highest at Step 0 and Step 5 (50.0%)');
  expect(sentence).toContain('valid_unseen is highest at Step 5 (50.0%)');
  expect(sentence).not.toContain('disagree');
});

describe('several comparisons', () => {
  const { before, after } = outcomes(60, 20, 8, 40);
  const comparison = aComparison(
    [0, 1, 2, 3].map((step) => aCheckpoint(step, [playedOut(step === 0 ? before : after)])),
  );

  it('are adjusted by Holm, which may take a verdict back', () => {
    const adjusted = tableOf(comparison);
    expect([adjusted.comparisons, adjusted.adjusted]).toEqual([3, true]);
    expect(againstWords(against(adjusted, 1, 'valid_seen'))).toMatch(/^not distinguishable \(could see/);
    const alone = tableOf(comparison, 'holm=off');
    expect(alone.adjusted).toBe(false);
    expect(againstWords(against(alone, 1, 'valid_seen'))).toBe('higher');
  });
});

describe('a baseline with evaluations under several settings', () => {
  const cool = { temperature: 0.4 };
  const base = aCheckpoint(0, [counted(212, 420), counted(38, 70, cool)]);
  const shownN = (table: CompareTable, row: number) => cellOf(table, row, 'valid_seen').played.n;

  it('is taken by those that another checkpoint shares', () => {
    const table = tableOf(aComparison([base, aCheckpoint(6, [counted(58, 70, cool)])]));
    expect([shownN(table, 0), shownN(table, 1)]).toEqual([70, 70]);
    expect(against(table, 1, 'valid_seen').kind).toBe('compared');
  });

  it('is taken by those that most share, and by its decoding where all are shared alike', () => {
    const table = tableOf(
      aComparison([
        base,
        aCheckpoint(6, [counted(58, 70, cool), counted(300, 420)]),
        aCheckpoint(9, [counted(310, 420)]),
      ]),
    );
    expect([0, 1, 2].map((row) => shownN(table, row))).toEqual([420, 420, 420]);
    const both = [counted(20, 60), counted(30, 60, { decoding: 'greedy', temperature: 0 })];
    const greedy = tableOf(aComparison([aCheckpoint(0, both), aCheckpoint(6, both)]), 'decoding=greedy');
    expect(cellOf(greedy, 0, 'valid_seen').played.shown.decoding).toBe('greedy');
  });
});

it('a checkpoint that is apart on one split alone is said not to be on the other', () => {
  const table = tableOf(
    aComparison([
      aCheckpoint(0, [counted(10, 140), counted(60, 134, { split: 'valid_unseen' })]),
      aCheckpoint(9, [counted(120, 140), counted(62, 134, { split: 'valid_unseen' })]),
    ]),
  );
  expect(standingSentence(table.standings)).toBe(
    'valid_seen is highest at Step 9 (85.7%), valid_unseen is highest at Step 9 (46.3%). On valid_unseen it is not told apart from every other checkpoint, so none is called best.',
  );
});

it('a checkpoint that leads on both splits, apart from all others, is said to', () => {
  const both = (k: number) => [counted(k, 140), counted(k, 140, { split: 'valid_unseen' })];
  const table = tableOf(
    aComparison([aCheckpoint(0, both(10)), aCheckpoint(5, both(60)), aCheckpoint(9, both(120))]),
  );
  expect(standingSentence(table.standings)).toBe(
    'valid_seen is highest at Step 9 (85.7%), valid_unseen is highest at Step 9 (85.7%), and higher than every other checkpoint on each.',
  );
});

it('p-values are written as the house writes them', () => {
  expect([0.4052, 0.0614, 0.00393, 0.0001, 1, 0.0999].map(pWords)).toEqual([
    'p = .41',
    'p = .061',
    'p = .004',
    'p < .001',
    'p = 1',
    'p = .10',
  ]);
});
