import { z } from 'zod';
import type { KlEstimator } from '@/rl/learning/kl';

const KL_NAMES = {
  kl: 'k1',
  k1: 'k1',
  abs: 'abs',
  mse: 'k2',
  k2: 'k2',
  low_var_kl: 'k3',
  k3: 'k3',
} as const satisfies Record<string, KlEstimator>;

/** verl's name of a KL estimator, as ours. */
export const KlName = z
  .enum(['kl', 'k1', 'abs', 'mse', 'k2', 'low_var_kl', 'k3'])
  .transform((name) => KL_NAMES[name]);

/** verl's names of the aggregations are ours. */
export const AggregationName = z.enum([
  'token-mean',
  'seq-mean-token-sum',
  'seq-mean-token-mean',
  'seq-mean-token-sum-norm',
]);
