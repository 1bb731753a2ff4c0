/**
 * Dynamic sampling of DAPO (arXiv 2503.14476): batches are sampled until enough groups have something to teach, then cut
 * to size. Source: verl's `recipe/dapo/dapo_ray_trainer.py`, the `filter_groups` block of its fit.
 */
import { AppError } from '@/contract/errors';
import { indicesByGroup } from './grouping';

/**
 * DAPO's rule: a group stays if the population standard deviation of its metric is above 0 or it has one member. It is
 * numpy's double arithmetic: three values of 0.1 have a mean that is not 0.1, so that constant groups can stay.
 * `isDegenerate` is the rule without that accident.
 */
export function deviates(metricsG: readonly number[]): boolean {
  return metricsG.length === 1 || numpyDeviation(metricsG) > 0;
}

/** verl-agent's rule, `filter_group_data`: the rewards are not all the same number. A group of one never stays. */
export function hasUnequalRewards(rewardsG: readonly number[]): boolean {
  return rewardsG.some((reward) => reward !== rewardsG[0]);
}

/** What dynamic sampling has kept so far. */
export interface KeptGroups<Member> {
  /** Batches sampled. */
  batches: number;
  groups: number;
  members: Member[];
}

/** One sampled batch: its members with the group and the metric of each. */
export interface SampledBatch<Member> {
  members: readonly Member[];
  groupIds: readonly (string | number)[];
  metrics: readonly number[];
}

export interface DynamicSamplingSettings {
  /** Groups of an update. */
  groups: number;
  groupSize: number;
  /** Most batches that may be sampled for it; 0 or less = any number. */
  maxBatches: number;
}

/** Adds the groups of a batch that `isKept` (of their metrics) keeps, members in the batch's order. */
export function keepGroups<Member>(
  kept: KeptGroups<Member>,
  { members, groupIds, metrics }: SampledBatch<Member>,
  isKept: (metricsG: readonly number[]) => boolean,
): KeptGroups<Member> {
  const groups = [...indicesByGroup(groupIds).values()].filter((rows) =>
    isKept(rows.map((row) => metrics[row] ?? NaN)),
  );
  const rows = new Set(groups.flat());
  return {
    batches: kept.batches + 1,
    groups: kept.groups + groups.length,
    members: [...kept.members, ...members.filter((_, row) => rows.has(row))],
  };
}

/**
 * The members of the update, at most `groups * groupSize`; null where another batch has to be sampled first. Throws
 * where none may be.
 */
export function membersOfUpdate<Member>(
  { batches, groups, members }: KeptGroups<Member>,
  settings: DynamicSamplingSettings,
): Member[] | null {
  if (groups >= settings.groups) return members.slice(0, settings.groups * settings.groupSize);
  if (settings.maxBatches > 0 && batches >= settings.maxBatches)
    throw new AppError(
      'invalid_input',
      `${groups} of ${settings.groups} groups have rewards that differ after ${batches} batches, the most allowed; ` +
        'raise maxBatches, or choose tasks of which some are solved and some not',
    );
  return null;
}

function numpyDeviation(values: readonly number[]): number {
  const mean = pairwiseSum(values) / values.length;
  const squares = values.map((value) => (value - mean) * (value - mean));
  return Math.sqrt(pairwiseSum(squares) / values.length);
}

const PAIRWISE_BLOCK = 128;
const LANES = 8;

/** numpy's order of summation: one by one below 8 values, in 8 lanes up to 128, halves above. */
function pairwiseSum(values: readonly number[]): number {
  const count = values.length;
  if (count < LANES) return values.reduce((sum, value) => sum + value, 0);
  if (count > PAIRWISE_BLOCK) {
    const half = Math.floor(count / 2);
    const cut = half - (half % LANES);
    return pairwiseSum(values.slice(0, cut)) + pairwiseSum(values.slice(cut));
  }
  const whole = count - (count % LANES);
  const lane = (first: number): number => {
    let sum = values[first] ?? NaN;
    for (let index = first + LANES; index < whole; index += LANES) sum += values[index] ?? NaN;
    return sum;
  };
  const lanes = lane(0) + lane(1) + (lane(2) + lane(3)) + (lane(4) + lane(5) + (lane(6) + lane(7)));
  return values.slice(whole).reduce((sum, value) => sum + value, lanes);
}
