/**
 * Advantages of GiGPO, group in group policy optimisation (arXiv 2505.10978): a row is a turn; it is compared with the
 * rows of its task's group by the episode's reward, and by its return with the rows that stood in the same state.
 * Source: verl-agent `gigpo/core_gigpo.py`.
 */
import { AppError } from '@/contract/errors';
import { advantagesByGroup, type AdvantageSettings, type GroupedRewards } from './advantages';
import { textSimilarity } from './text-similarity';

export interface GigpoRows extends GroupedRewards {
  /** What each row's turn saw: equal texts are the same state. */
  anchors: readonly string[];
  /** Discounted return of each row's turn. */
  stepReturns: readonly number[];
}

export interface GigpoSettings {
  /** `none`: less the mean. `std`: also divided by the sample standard deviation. */
  scale: AdvantageSettings['scale'];
  /** Weight of the state's part, w; 1 in the source. */
  stepWeight: number;
  /** Anchors at least this alike share a state; unset = equal ones only. */
  similarityThreshold?: number;
  epsilon?: number;
}

/** A = A_episode + w A_state of each row (eq. 8). */
export function gigpoAdvantages(rows: GigpoRows, settings: GigpoSettings): number[] {
  const { anchors, groupIds, stepReturns } = rows;
  const { stepWeight, similarityThreshold, ...scaling } = settings;
  const episode = episodeAdvantages(rows, scaling);
  const state = stateAdvantages(stepReturns, anchorGroups(anchors, groupIds, similarityThreshold), scaling);
  return episode.map((advantage, row) => advantage + stepWeight * (state[row] ?? NaN));
}

type Scaling = Pick<AdvantageSettings, 'scale' | 'epsilon'>;

/** The episode's part (eq. 3). A group of one keeps its reward. */
export function episodeAdvantages(rows: GroupedRewards, scaling: Scaling): number[] {
  return advantagesByGroup(rows, { ...scaling, singleton: 'raw' });
}

/** The state's part (eq. 7). A state visited once has nothing to be compared with: 0. */
export function stateAdvantages(
  stepReturns: readonly number[],
  stateIds: readonly number[],
  scaling: Scaling,
): number[] {
  return advantagesByGroup({ rewards: stepReturns, groupIds: stateIds }, { ...scaling, singleton: 'zero' });
}

/**
 * The state of each row, numbered in order of first appearance (eq. 6): rows of one group whose anchors are equal, or,
 * with a threshold in (0, 1), at least so similar to the first anchor of the first such state.
 */
export function anchorGroups(
  anchors: readonly string[],
  groupIds: readonly (string | number)[],
  similarityThreshold?: number,
): number[] {
  if (similarityThreshold !== undefined && !(similarityThreshold > 0 && similarityThreshold < 1))
    throw new AppError(
      'invalid_input',
      `similarityThreshold is ${similarityThreshold}; expected within (0, 1)`,
    );
  let states = 0;
  /** Per group, the first anchor of each state and its number, in order of appearance. */
  const known = new Map<string | number, Map<string, number>>();
  return anchors.map((anchor, row) => {
    const group = groupIds[row] ?? '';
    const statesOfGroup = known.get(group) ?? new Map<string, number>();
    known.set(group, statesOfGroup);
    const state =
      similarityThreshold === undefined
        ? statesOfGroup.get(anchor)
        : firstSimilar(statesOfGroup, anchor, similarityThreshold);
    if (state !== undefined) return state;
    statesOfGroup.set(anchor, states);
    return states++;
  });
}

function firstSimilar(
  states: ReadonlyMap<string, number>,
  anchor: string,
  threshold: number,
): number | undefined {
  for (const [first, state] of states) if (textSimilarity(anchor, first) >= threshold) return state;
  return undefined;
}
