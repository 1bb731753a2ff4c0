import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import type { Trajectory } from '@/contract/trajectory';
import { statedEvaluation, statedType } from './stated-evaluation';

/** What a log of played tasks states of its evaluation; nothing that is not stated. */
export type StatedSettings = Pick<EvaluationResult, 'step' | 'split' | 'environment'> &
  Partial<EvaluationResult>;

/**
 * Adds up evaluations from their trajectories, one trajectory a task each: the samples of a task are evaluations of their own, told
 * apart by `seed`.
 */
export class EvaluationTally {
  private readonly bySeed = new Map<number | null, Trajectory[]>();

  constructor(private readonly settings: StatedSettings) {}

  /** The trajectory with the name of the evaluation that it counts in. */
  add(trajectory: Trajectory, seed: number | null): Trajectory {
    const evaluation = evaluationKey(statedEvaluation({ ...this.settings, seed, n: 0, successes: 0 }));
    const played = { ...trajectory, decoding: this.settings.decoding ?? trajectory.decoding, evaluation };
    // Its turns are not kept: there may be many, and they are stored by then.
    const before = this.bySeed.get(seed) ?? [];
    before.push({ ...played, turns: [] });
    this.bySeed.set(seed, before);
    return played;
  }

  /** One result a seed. Tasks whose play failed count as failures, as everywhere. */
  results(): EvaluationResult[] {
    return [...this.bySeed].map(([seed, played]) => this.resultOf(seed, played));
  }

  private resultOf(seed: number | null, played: readonly Trajectory[]): EvaluationResult {
    const sum = (count: (trajectory: Trajectory) => number) =>
      played.reduce((total, each) => total + count(each), 0);
    const successes = (of: readonly Trajectory[]) => of.filter(({ success }) => success).length;
    const rewards = played.flatMap(({ reward }) => reward ?? []);
    const taskTypes = [...new Set(played.map(({ taskType }) => taskType))];
    return statedEvaluation({
      ...this.settings,
      seed,
      n: played.length,
      successes: successes(played),
      turns: sum(({ turnsCount }) => turnsCount),
      rewardMean:
        rewards.length === 0 ? null : rewards.reduce((total, reward) => total + reward, 0) / rewards.length,
      errors: played.filter(({ stopReason }) => stopReason === 'error').length,
      byTaskType: taskTypes.map((taskType) => {
        const of = played.filter((each) => each.taskType === taskType);
        return statedType(taskType, successes(of), of.length);
      }),
    });
  }
}

/** What tells the samples of a task apart where the source states no seed: nothing of the first, the number of each other. */
export function seedOfSample(sample: number): number | null {
  return sample === 0 ? null : sample;
}
