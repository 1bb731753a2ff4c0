import { expect, it } from 'vitest';
import { metricValue } from './metric-values';

it('a number is read in every spelling of logs, numpy’s too', () => {
  expect(
    ['0.5', ' 1e-3 ', 'np.float64(0.5)', 'np.int64(3)', 'np.float32(nan)', '-inf'].map(metricValue),
  ).toEqual([0.5, 0.001, 0.5, 3, 'NaN', '-Infinity']);
  expect(['', '0x10', 'np.float64()', 'np.array(1)', 'two'].map(metricValue)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
