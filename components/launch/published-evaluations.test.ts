import { describe, expect, it } from 'vitest';
import { ALFWORLD_DEFAULTS } from '@/contract/environments/alfworld';
import { PUBLISHED_EVALUATIONS } from '@/contract/environments/alfworld-evaluations';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { GrpoConfig } from '@/contract/recipes/grpo';
import { formFields } from './form-fields';
import { draftConfig, readDraft } from './launch-draft';
import { editsOf } from './published-evaluations';

const fields = formFields(GrpoConfig);

function configWith(edits: Record<string, string>): GrpoConfig {
  const parameters = new URLSearchParams({ preset: 'demo', 'set.environment.id': 'alfworld', ...edits });
  return GrpoConfig.parse(
    draftConfig(
      readDraft(parameters, () => fields, null),
      fields,
    ),
  );
}

describe('a published evaluation', () => {
  it.each(Object.values(PUBLISHED_EVALUATIONS))(
    '$title makes a config that the recipe takes',
    (published) => {
      const { evaluation, environment } = configWith(editsOf(published));
      expect(environment).toEqual({ ...ALFWORLD_DEFAULTS, maxTurns: published.maxTurns });
      expect(evaluation).toEqual({
        ...GRPO_PRESETS.demo.evaluation,
        splits: published.splits,
        finalSplits: published.splits,
        decodings: ['sampled'],
        temperature: published.temperature,
        topP: published.topP ?? 1,
        topK: published.topK ?? 0,
      });
    },
  );

  it('sets the seed where its source names one', () => {
    expect(configWith(editsOf(PUBLISHED_EVALUATIONS['agentic-rl-lab'])).seed).toBe(42);
    expect(configWith(editsOf(PUBLISHED_EVALUATIONS.strata)).seed).toBe(GRPO_PRESETS.demo.seed);
  });
});
