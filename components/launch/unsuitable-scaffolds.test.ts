import { describe, expect, it } from 'vitest';
import { formFields } from './form-fields';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { GrpoConfig } from '@/contract/recipes/grpo';
import { SCAFFOLDS, scaffoldsFor } from '@/contract/scaffolds';
import { selectOptions } from './select-options';
import { unsuitableScaffolds } from './unsuitable-scaffolds';

describe('scaffolds that do not suit an environment', () => {
  const unsuitable = unsuitableScaffolds(GRPO_PRESETS.demo);

  it('are all but those that do, each with the reason', () => {
    const fitting: readonly string[] = scaffoldsFor('babyai');
    expect(unsuitable.size).toBeGreaterThan(0);
    expect([...unsuitable.keys(), ...fitting].sort()).toEqual(Object.keys(SCAFFOLDS).sort());
    expect([...unsuitable.values()][0]).toBe('does not suit babyai');
  });

  it('cannot be chosen, and say why', () => {
    const field = formFields(GrpoConfig).find(({ path }) => path === 'scaffold.id');
    if (field?.kind !== 'variant') throw new Error('the scaffold is a choice of variants');
    const [refused] = [...unsuitable.keys()];
    const options = selectOptions(field, 'recent-actions', unsuitable);
    const option = options.find(({ value }) => value === refused);
    expect(option).toMatchObject({ disabled: true });
    expect(option?.title).toMatch(/\(does not suit babyai\)$/);
    expect(options.find(({ value }) => value === 'recent-actions')).not.toHaveProperty('disabled');
  });

  it('are not told where the environment does not hold', () => {
    expect(unsuitableScaffolds({ environment: { id: 'moon' } }).size).toBe(0);
  });
});
