import { describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from './grpo-presets';
import { parseLaunch } from './registry';

const launch = { name: 'a run', recipe: 'grpo', preset: 'demo', config: GRPO_PRESETS.demo };

describe('a launch', () => {
  it('of each preset as it stands is taken', () => {
    for (const [preset, config] of Object.entries(GRPO_PRESETS))
      expect(parseLaunch({ ...launch, preset, config }).config).toEqual(config);
  });

  it('names a preset of its recipe, not a name that every object has', () => {
    for (const preset of ['large', 'toString'])
      expect(() => parseLaunch({ ...launch, preset })).toThrow(
        `preset ${preset} is not one of ${Object.keys(GRPO_PRESETS).join(', ')}`,
      );
  });

  it('is refused with the path of each wrong setting', () => {
    const config = { ...launch.config, steps: 0, seed: 1.5 };
    expect(() => parseLaunch({ ...launch, config })).toThrow(/config\.seed: .*; config\.steps: /);
  });
});
