/**
 * AgentOPSD: a trajectory's advantage is reshaped turn by turn with the evidence of a teacher that scored the same tokens.
 * Source: agentic-rl-lab `09-AgentOPSD` (`advantages.py`, `teacher.py`).
 */
import { AppError } from '@/contract/errors';
import { groupAdvantages } from '@/rl/learning/advantages';
import { indicesByGroup } from '@/rl/learning/grouping';
import { meanOf, standardDeviation } from '@/rl/learning/moments';

export interface ReshapeSettings {
  /** How much of a turn's evidence the next turn still holds, 0.95 in the source. */
  discount: number;
  /** Share of the advantage that the turns' weights change, 0.5 in the source. */
  reshape: number;
  /** Weights lie within 1 +- this, 0.2 in the source. */
  weightBound: number;
  /** Added to standard deviations, and the least distance of a belief from 0 and 1; 1e-4 in the source. */
  epsilon: number;
}

/** A turn's evidence and what becomes of it. */
export interface ReshapedTurn {
  /** Sum over the turn's tokens of the teacher's log-probability - the student's. */
  evidence: number;
  /** c_t = discount c_(t-1) + evidence. */
  cumulativeEvidence: number;
  /** Probability of success believed before and after the turn: sigmoid(logit b_0 + c_t). */
  beliefBefore: number;
  beliefAfter: number;
  /** sign(A) (beliefAfter - beliefBefore). */
  credit: number;
  /** The credit's z-score among the trajectory's turns. */
  normalisedCredit: number;
  /** clip(1 + weightBound z, 1 - weightBound, 1 + weightBound). */
  weight: number;
  /** A ((1 - reshape) + reshape weight). */
  advantage: number;
}

/** The turns of one trajectory with advantage A. `belief` is that of success before its first turn: its group's mean reward. */
export function reshapeTurns(
  advantage: number,
  belief: number,
  evidences: readonly number[],
  { discount, reshape, weightBound, epsilon }: ReshapeSettings,
): ReshapedTurn[] {
  const first = boundedBelief(belief, epsilon);
  const logit = Math.log(first / (1 - first));
  let cumulativeEvidence = 0;
  let beliefBefore = first;
  const turns = evidences.map((evidence) => {
    cumulativeEvidence = discount * cumulativeEvidence + evidence;
    const beliefAfter = 1 / (1 + Math.exp(-(logit + cumulativeEvidence)));
    const credit = Math.sign(advantage) * (beliefAfter - beliefBefore);
    const turn = { evidence, cumulativeEvidence, beliefBefore, beliefAfter, credit };
    beliefBefore = beliefAfter;
    return turn;
  });
  const credits = turns.map(({ credit }) => credit);
  const mean = meanOf(credits);
  const divisor = standardDeviation(credits, 'population') + epsilon;
  return turns.map((turn) => {
    const normalisedCredit = (turn.credit - mean) / divisor;
    const change = Math.min(Math.max(weightBound * normalisedCredit, -weightBound), weightBound);
    const weight = 1 + change;
    return { ...turn, normalisedCredit, weight, advantage: advantage * (1 - reshape + reshape * weight) };
  });
}

/** A belief away from 0 and 1, where evidence would change nothing. */
export function boundedBelief(belief: number, epsilon: number): number {
  return Math.min(Math.max(belief, epsilon), 1 - epsilon);
}

export interface ReshapedTrajectory {
  /** (R - mean) / (s + epsilon), s over n; a group of one gets 0. */
  advantage: number;
  belief: number;
  turns: ReshapedTurn[];
}

/** Trajectories of a batch: reward, group and the evidence of each turn. */
export interface EvidencedBatch {
  rewards: readonly number[];
  groupIds: readonly (string | number)[];
  turnEvidences: readonly (readonly number[])[];
}

export function reshapedAdvantages(
  { rewards, groupIds, turnEvidences }: EvidencedBatch,
  settings: ReshapeSettings,
): ReshapedTrajectory[] {
  const { epsilon } = settings;
  const reshaped = new Array<ReshapedTrajectory>(rewards.length);
  for (const members of indicesByGroup(groupIds).values()) {
    const rewardsG = members.map((member) => rewards[member] ?? NaN);
    const belief = boundedBelief(meanOf(rewardsG), epsilon);
    const advantagesG = groupAdvantages(rewardsG, {
      scale: 'std',
      deviation: 'population',
      epsilon,
      singleton: 'zero',
    });
    members.forEach((member, i) => {
      const advantage = advantagesG[i] ?? NaN;
      const turns = reshapeTurns(advantage, belief, turnEvidences[member] ?? [], settings);
      reshaped[member] = { advantage, belief, turns };
    });
  }
  return reshaped;
}

/** The sampled tokens of a turn: where they stand in the student's sequence, and the sampler's log-probabilities. */
export interface ScoredTurn {
  /** Index of the first token, and of the one after the last. */
  start: number;
  end: number;
  logprobs: readonly number[];
}

/**
 * Evidence of each turn. The teacher's sequence is the student's with another beginning (a skill in its prompt), `offset`
 * tokens longer; `teacherLogprobs` has a value for each of its tokens but the first. Throws where a turn's tokens have
 * none.
 */
export function turnEvidences(
  turns: readonly ScoredTurn[],
  teacherLogprobs: readonly (number | null)[],
  offset: number,
): number[] {
  return turns.map(({ start, end, logprobs }, turn) => {
    if (logprobs.length !== end - start)
      throw new AppError(
        'invalid_input',
        `turn ${turn} has ${logprobs.length} log-probabilities for ${end - start} tokens`,
      );
    return logprobs.reduce((sum, logprob, t) => {
      const taught = teacherLogprobs[start + t + offset];
      if (taught === null || taught === undefined || !Number.isFinite(taught))
        throw new AppError(
          'invalid_input',
          `the teacher scored no token ${start + t + offset} (turn ${turn})`,
        );
      return sum + (taught - logprob);
    }, 0);
  });
}
