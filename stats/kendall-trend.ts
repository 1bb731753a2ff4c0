/**
 * Kendall's tau of a series against its order: pairs that rise less pairs that fall, over all pairs, in [-1, 1]; ties count
 * for neither (Mann 1945, Econometrica 13:245, the statistic of the Mann-Kendall trend test). NaN below two values.
 */
export function kendallTrend(values: readonly number[]): number {
  let rises = 0;
  values.forEach((later, index) => {
    for (const earlier of values.slice(0, index)) rises += Math.sign(later - earlier);
  });
  return rises / ((values.length * (values.length - 1)) / 2);
}
