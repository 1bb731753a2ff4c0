import { describe, expect, it } from 'vitest';
import { parentOf, parseSide, PRESET_SIDES, presetConfig } from './config-side';

describe('a side of a difference of configs', () => {
  it('is a run, a preset, the parent or a text, by its name in the address', () => {
    expect(parseSide('r-0003')).toEqual({ kind: 'run', runId: 'r-0003' });
    expect(parseSide('preset:grpo/demo')).toEqual({ kind: 'preset', recipe: 'grpo', preset: 'demo' });
    expect(parseSide('parent')).toEqual({ kind: 'parent' });
    expect(parseSide(null)).toEqual({ kind: 'none' });
  });

  it('knows every preset by the name that it offers, and none by another', () => {
    for (const { value } of PRESET_SIDES) {
      const side = parseSide(value);
      expect(side.kind === 'preset' && presetConfig(side.recipe, side.preset)).toBeTruthy();
    }
    expect(presetConfig('grpo', 'toString')).toBeNull();
  });

  it('has as parent the run whose checkpoint its config names', () => {
    expect(parentOf({ engine: {}, checkpoints: [{ runId: 'r-0001', step: 4 }] })).toBe('r-0001');
    expect(parentOf({ runId: 'r-0001' })).toBeNull();
  });
});
