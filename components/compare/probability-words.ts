import { MISSING } from '@/contract/format';

/** `p = .03`, three decimals below .01 and above .99, `p < .001`, `p > .999`; `p n/a` where it is unknown. */
export function probabilityWords(probability: number | null): string {
  if (probability === null) return `p ${MISSING}`;
  if (probability < 0.001) return 'p < .001';
  if (probability > 0.999) return 'p > .999';
  const decimals = probability < 0.01 || probability > 0.99 ? 3 : 2;
  return `p = ${probability.toFixed(decimals).slice(1)}`;
}
