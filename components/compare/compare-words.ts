import { formatDecimals, formatPercent, formatSigned, MISSING } from '@/contract/format';
import type { ComparisonMethod, OutcomeComparison } from '@/stats/compare-outcomes';
import { verdictWords } from '@/stats/comparison-verdict';
import type { Against, Compared, CompareTable, Standing } from './compare-table';
import type { Repeat } from './chosen-evaluations';
import type { Played, RateEstimate } from './played';

export const METHOD_WORDS: Record<ComparisonMethod, string> = {
  mcnemar: 'exact McNemar, paired on task',
  sign_flip: 'sign-flip over tasks, paired; several trajectories a task',
  newcombe: 'Newcombe, unpaired',
  bootstrap: 'bootstrap of tasks, unpaired; several trajectories a task',
};

export const INTERVAL_WORDS: Record<RateEstimate['method'], string> = {
  wilson: 'Wilson',
  clopper_pearson: 'Clopper-Pearson',
  bootstrap: 'bootstrap over tasks',
};

/** `p = .41`, three decimals under .1, `p < .001`. */
export function pWords(pValue: number): string {
  if (pValue < 0.001) return 'p < .001';
  if (pValue >= 0.995) return 'p = 1';
  return `p = ${pValue.toFixed(pValue < 0.0995 ? 3 : 2).replace(/^0/, '')}`;
}

/** `exact McNemar p = .41`, `sign-flip, Holm p = .021`; of an interval alone its method. */
export function testWords({ comparison, pValue }: Compared, adjusted: boolean): string {
  const { method, changes } = comparison;
  if (changes && changes.gained.length + changes.lost.length === 0) return 'no discordant tasks, p = 1';
  const name = {
    mcnemar: 'exact McNemar',
    sign_flip: 'sign-flip',
    newcombe: 'Newcombe',
    bootstrap: 'bootstrap',
  }[method];
  return pValue === null
    ? `${name}, by its interval`
    : `${name}${adjusted ? ', Holm' : ''} ${pWords(pValue)}`;
}

/** `+5.97 pp` */
export function differenceWords({ difference: { difference } }: OutcomeComparison): string {
  return `${formatSigned(difference * 100, 2)} pp`;
}

/** `[−5.8, 17.6]`, of the difference, in percentage points. */
export function differenceInterval({ difference: { low, high } }: OutcomeComparison): string {
  return `[${formatDecimals(low * 100, 1)}, ${formatDecimals(high * 100, 1)}]`;
}

/**
 * `of 210 shared tasks: 52.4 to 61.0 %`, the tasks that the difference is of, where they are not all of those that the rates
 * beside it count; null where they are, or where the sides are unpaired. Without percentages where tasks have several trajectories.
 */
export function sharedWords({ method, changes, n, onlyBefore, onlyAfter }: OutcomeComparison): string | null {
  if (!changes || onlyBefore.length + onlyAfter.length === 0) return null;
  const shared = `of ${n} shared tasks`;
  if (method !== 'mcnemar') return shared;
  const [before, after] = [changes.lost, changes.gained].map(
    ({ length }) => (length + changes.both.length) / n,
  );
  return `${shared}: ${formatPercent(before)} to ${formatPercent(after)} %`;
}

/** What stands in for a comparison, or its verdict: never a bare figure. */
export function againstWords(against: Against): string {
  switch (against.kind) {
    case 'not_evaluated':
      return 'baseline not evaluated';
    case 'hidden':
      return against.words;
    case 'unlike':
      return `Not compared: ${against.differences.map(({ words }) => words).join('; ')}.`;
    case 'compared':
      return verdictWords(against.verdict);
  }
}

/** `20 gained, 12 lost`, with the tasks of one side alone; of unpaired sides, why they are. */
export function pairingWords(comparison: OutcomeComparison): string {
  const { changes, n, onlyBefore, onlyAfter } = comparison;
  const alone = onlyBefore.length + onlyAfter.length;
  const aloneWords =
    alone === 0 ? [] : [`${onlyBefore.length} tasks only in the baseline, ${onlyAfter.length} only here`];
  if (!changes) return ['unpaired', ...aloneWords].join(', ');
  return [
    `${changes.gained.length} gained, ${changes.lost.length} lost`,
    ...(alone === 0 ? [] : [`${n} tasks in both`]),
    ...aloneWords,
  ].join(', ');
}

/** `2 errored`, `31 cut off by a limit`, and what was not counted; empty where there is nothing to say. */
export function countNotes({
  errors,
  truncated,
  notStored,
  leftOut,
  otherSettings,
  repeats,
  byTask,
  shown,
}: Played): string[] {
  return [
    ...(errors === null ? ['errors not stated'] : errors > 0 ? [`${errors} errored`] : []),
    ...(truncated !== null && truncated > 0 ? [`${truncated} cut off by a limit`] : []),
    ...(notStored > 0 ? [`${notStored} of ${shown.n} trajectories not stored, so counts alone`] : []),
    ...(leftOut > 0
      ? [
          `${leftOut} more ${leftOut === 1 ? 'seed' : 'seeds'} ${byTask ? 'known by counts alone, ' : ''}not in it`,
        ]
      : []),
    ...repeatNotes(repeats, shown.decoding),
    ...(otherSettings > 0
      ? [
          `${otherSettings} ${otherSettings === 1 ? 'evaluation' : 'evaluations'} under other settings not shown`,
        ]
      : []),
  ];
}

/** Most runs that a note names. */
const NAMED_RUNS = 5;

/** `2 repeats of seed 1 not counted: r-0002, r-0009`, a note for each seed; of greedy evaluations, which draw nothing, one. */
function repeatNotes(repeats: readonly Repeat[], decoding: Played['shown']['decoding']): string[] {
  const draws = new Map<string, string[]>();
  for (const { seed, runId } of repeats) {
    const draw = decoding === 'greedy' ? 'the greedy evaluation' : `seed ${seed}`;
    draws.set(draw, [...(draws.get(draw) ?? []), runId]);
  }
  return [...draws].map(([draw, of]) => {
    const runs = [...new Set(of)];
    const more = runs.length > NAMED_RUNS ? ` and ${runs.length - NAMED_RUNS} more runs` : '';
    const count = `${of.length} ${of.length === 1 ? 'repeat' : 'repeats'}`;
    return `${count} of ${draw} not counted: ${runs.slice(0, NAMED_RUNS).join(', ')}${more}`;
  });
}

/** What the comparisons with the baseline allow to be said, in one or more sentences. */
export function verdictSentences({ rows, baseline, splits }: CompareTable): string[] {
  if (!baseline || rows.length < 2) return ['Nothing to compare yet: add a second checkpoint.'];
  const found = rows.flatMap((row) =>
    splits.flatMap((split) => {
      const against = row.cells.get(split)?.against;
      return against?.kind === 'compared' ? [{ row, split, against }] : [];
    }),
  );
  if (found.length === 0) return [`No checkpoint was evaluated as ${baseline.title} was.`];
  const told = found.filter(
    ({ against: { verdict } }) => verdict.kind === 'higher' || verdict.kind === 'lower',
  );
  if (told.length > 0)
    return told.map(
      ({ row, split, against }) =>
        `${row.title} is ${verdictWords(against.verdict)} than ${baseline.title} on ${split} (${differenceWords(against.comparison)}).`,
    );
  const tested = found.filter(({ against: { verdict } }) => verdict.kind !== 'not_compared');
  if (tested.length === 0)
    return [
      `Too few tasks: ${found.map(({ against, split }) => `${split} ${againstWords(against)}`).join('; ')}.`,
    ];
  const on = [...new Set(tested.map(({ split }) => split))];
  return [
    `No checkpoint is distinguishable from ${baseline.title} on ${on.length === 2 ? 'either split' : on.join(', ')}.`,
  ];
}

/** Who is highest where, and why none, or one, may be named before the others. */
export function standingSentence(standings: readonly Standing[]): string {
  if (standings.length === 0) return '';
  const places = standings
    .map(
      ({ split, highest, fraction }) =>
        `${split} is highest at ${highest.map(({ title }) => title).join(' and ')} (${formatPercent(fraction)}%)`,
    )
    .join(', ');
  const [first] = standings;
  const agree = first?.highest.some(({ name }) =>
    standings.every(({ highest }) => highest.some((row) => row.name === name)),
  );
  const apart = standings.every(({ isApart }) => isApart);
  const seesOneSplit = standings.length === 1;
  if (!agree)
    return `${places}. The splits disagree${apart ? '' : ' and not every difference is told apart from chance'}, so none is called best.`;
  if (!apart) {
    const where = standings.filter(({ isApart }) => !isApart).map(({ split }) => split);
    return `${places}. On ${where.join(' and ')} it is not told apart from every other checkpoint, so none is called best.`;
  }
  if (seesOneSplit) return `${places}, and higher than every other. On one split alone none is called best.`;
  return `${places}, and higher than every other checkpoint on each.`;
}

/** What the tests would have seen, a split; null where nothing was tested. */
export function powerSentences({ rows, splits }: CompareTable): string[] {
  return splits.flatMap((split) => {
    const compared = rows.flatMap(({ cells }) => {
      const against = cells.get(split)?.against;
      return against?.kind === 'compared' && against.verdict.kind !== 'not_compared'
        ? [against.comparison]
        : [];
    });
    const [largest] = [...compared].sort((a, b) => sizeOf(b) - sizeOf(a));
    if (!largest || largest.smallestDifference === null) return [];
    const { n, changes, smallestDifference } = largest;
    const discordant = changes ? (changes.gained.length + changes.lost.length) / n : null;
    const given =
      discordant === null
        ? `n = ${n} a side, unpaired`
        : `n = ${n} and ${formatPercent(discordant)}% discordant tasks`;
    return [
      `${split}: with ${given}, the smallest difference found with 80% power is ${formatPercent(smallestDifference)} pp. The largest here is ${differenceWords(largest)}.`,
    ];
  });
}

function sizeOf({ difference: { difference } }: OutcomeComparison): number {
  return Math.abs(difference);
}

/** `80/140 57.1 [48.9, 65.0]` of any interval. */
export function rateWords({ k, n }: Played, rate: RateEstimate | null): string {
  return rate
    ? `${k}/${n} ${formatPercent(rate.fraction)} [${formatPercent(rate.low)}, ${formatPercent(rate.high)}]`
    : MISSING;
}

/** What the baseline was evaluated with, once, for every figure compared with it. */
export function settingWords({ baseline, splits }: CompareTable): string {
  const shown = splits.flatMap((split) => baseline?.cells.get(split)?.played.shown ?? [])[0];
  if (!shown) return '';
  const { environment, environmentVersion, scaffold, decoding, temperature, maxTurns, seed } = shown;
  return [
    `${environment} ${environmentVersion}`,
    scaffold,
    decoding === 'greedy' ? 'greedy' : `temperature ${temperature ?? 'not recorded'}`,
    maxTurns === null ? 'turn limit not recorded' : `≤ ${maxTurns} turns`,
    seed === null ? 'seed not recorded' : `seed ${seed}`,
  ].join(' · ');
}
