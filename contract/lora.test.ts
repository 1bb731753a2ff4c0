import { expect, it } from 'vitest';
import { LoraSettings } from './lora';
import { GrpoConfig } from './recipes/grpo';
import { GRPO_PRESETS } from './recipes/grpo-presets';

it('settings of adapters have defaults, and say which is wrong', () => {
  expect(LoraSettings.parse({})).toEqual({ rank: 32, alpha: 32, targets: ['attention', 'mlp'] });
  const refused = (value: object) => LoraSettings.safeParse(value).error?.issues[0];
  expect(refused({ rank: 0 })?.path).toEqual(['rank']);
  expect(refused({ alpha: 0 })?.path).toEqual(['alpha']);
  expect(refused({ targets: [] })?.message).toBe('expected at least one group of layers');
  expect(refused({ targets: ['mlp', 'mlp'] })?.message).toBe('expected each group once');
  expect(refused({ dropout: 0.1 })?.message).toContain('dropout');
});

it('a run that was stored without the setting has no adapters', () => {
  const { lora: _lora, ...engine } = GRPO_PRESETS.demo.engine;
  expect(GrpoConfig.parse({ ...GRPO_PRESETS.demo, engine }).engine.lora).toBeNull();
  const some = { ...engine, lora: { rank: 8 } };
  expect(GrpoConfig.parse({ ...GRPO_PRESETS.demo, engine: some }).engine.lora?.alpha).toBe(32);
});
