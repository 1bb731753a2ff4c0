import { describe, expect, it } from 'vitest';
import { StrataConfig } from './strata';
import { STRATA_PRESETS } from './strata-presets';

const { small } = STRATA_PRESETS;
const faultsOf = (config: object) =>
  StrataConfig.safeParse(config).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ??
  [];

describe('a config of StraTA', () => {
  it('is what each preset is', () => {
    for (const preset of Object.values(STRATA_PRESETS)) expect(StrataConfig.parse(preset)).toEqual(preset);
  });

  it('has a scaffold that writes strategies', () => {
    expect(faultsOf({ ...small, scaffold: { id: 'recent-actions', recentActions: 4 } })).toEqual([
      'scaffold.id: recent-actions writes no strategy; expected strata or listed-strategies',
    ]);
  });

  it('shares a task’s samples equally among its strategies', () => {
    expect(faultsOf({ ...small, strategies: { ...small.strategies, count: 3 } })).toEqual([
      'rollout.groupSize: expected a multiple of the 3 strategies, got 16',
    ]);
  });
});
