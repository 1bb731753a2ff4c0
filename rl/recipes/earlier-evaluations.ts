import type { EvaluationResult } from '@/contract/evaluation';
import type { Countable } from './evaluation';

/** What earlier attempts of a run have played of its evaluations. */
export interface EarlierEvaluations {
  /** Those that ended, by their keys. */
  finished: ReadonlyMap<string, EvaluationResult>;
  /** Trajectories of one of the others, by task id; the newest of each task. */
  trajectoriesOf(key: string): Promise<ReadonlyMap<string, Countable>>;
}
