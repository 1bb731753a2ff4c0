import { describe, expect, it } from 'vitest';
import { GRPO_PRESETS, GrpoConfig } from '@/contract/recipes/grpo';
import { parseLaunch } from '@/contract/recipes/registry';
import { configLeaves } from '@/components/run/config-rows';
import { formFields, matchesField, titleOf } from './form-fields';
import {
  draftConfig,
  draftIssues,
  formatEdit,
  issueOf,
  parseEdit,
  readDraft,
  valueAtPath,
} from './launch-draft';

const fields = formFields(GrpoConfig);
const read = (search: string) => readDraft(new URLSearchParams(search), () => fields, null);
const field = (path: string) => {
  const found = fields.find((each) => each.path === path);
  if (!found) throw new Error(`no field ${path}`);
  return found;
};

describe('fields of the form', () => {
  it('show every setting of the config, with its words', () => {
    expect(fields.map((each) => each.path)).toEqual(configLeaves(GRPO_PRESETS.demo).map((leaf) => leaf.key));
    expect(fields.filter((each) => each.description === '' && each.kind !== 'constant')).toEqual([]);
  });

  it('take kind, bounds and options from the schema', () => {
    expect(field('rollout.groupSize')).toMatchObject({
      kind: 'number',
      integer: true,
      min: 2,
      max: 512,
      section: 'rollout',
    });
    expect(field('advantage.scale')).toMatchObject({ kind: 'choice', options: ['none', 'std'] });
    expect(field('evaluation.decodings')).toMatchObject({ kind: 'choices', options: ['greedy', 'sampled'] });
    expect(field('evaluation.splits')).toMatchObject({ kind: 'rows' });
    expect(field('seed').section).toBe('');
  });

  it('are found by key, title or description', () => {
    expect(fields.filter((each) => matchesField(each, 'clipped above')).map((each) => each.path)).toEqual([
      'update.clipHigh',
    ]);
    expect(titleOf('maxReplyTokens')).toBe('Max reply tokens');
  });
});

describe('draft of a launch', () => {
  it('is the preset where nothing was typed, and passes the server’s own parse', () => {
    const draft = read('preset=verify');
    const config = draftConfig(draft, fields);
    expect(config).toEqual(GRPO_PRESETS.verify);
    expect(draftIssues(draft, config)).toEqual([]);
    expect(() => parseLaunch({ name: draft.name, recipe: 'grpo', preset: 'verify', config })).not.toThrow();
  });

  it('lays what was typed over the preset and leaves the preset as it was', () => {
    const draft = read(
      'set.update.learningRate=2e-4&set.advantage.permute=true&set.evaluation.decodings=["greedy"]',
    );
    const config = draftConfig(draft, fields);
    expect(valueAtPath(config, 'update.learningRate')).toBe(2e-4);
    expect(valueAtPath(config, 'advantage.permute')).toBe(true);
    expect(valueAtPath(config, 'evaluation.decodings')).toEqual(['greedy']);
    expect(valueAtPath(config, 'update.beta1')).toBe(0.9);
    expect(GRPO_PRESETS.demo.update.learningRate).toBe(1.5e-4);
  });

  it('names each field that the schema refuses, also within a list', () => {
    const rows = encodeURIComponent('[{"split":"valid_seen","tasks":0}]');
    const draft = read(`name=%20&set.steps=many&set.update.learningRate=5&set.evaluation.splits=${rows}`);
    const issues = draftIssues(draft, draftConfig(draft, fields));
    expect(issueOf(issues, 'name')).toBe('expected a name');
    expect(issueOf(issues, 'config.steps')).toContain('number');
    expect(issueOf(issues, 'config.update.learningRate')).toContain('1');
    expect(issueOf(issues, 'config.evaluation.splits')).toMatch(/^0\.tasks: /);
    expect(issueOf(issues, 'config.update.beta1')).toBeUndefined();
    expect(issues).toHaveLength(4);
  });

  it('keeps empty text as text rather than as the number 0', () => {
    expect(parseEdit(field('steps'), ' ')).toBe(' ');
    expect(parseEdit(field('steps'), '12')).toBe(12);
    expect(formatEdit(GRPO_PRESETS.demo.update.learningRate)).toBe('0.00015');
  });

  it('starts from a cloned run’s values until another preset is chosen', () => {
    const config = { ...GRPO_PRESETS.demo, steps: 33 };
    const cloned = { recipe: 'grpo', preset: 'demo', name: 'first', config };
    const draft = readDraft(new URLSearchParams('from=r-0001'), () => fields, cloned);
    expect(valueAtPath(draftConfig(draft, fields), 'steps')).toBe(33);
    expect(draft.name).toBe('first clone');
    const other = readDraft(new URLSearchParams('from=r-0001&preset=verify'), () => fields, cloned);
    expect(valueAtPath(draftConfig(other, fields), 'steps')).toBe(GRPO_PRESETS.verify.steps);
  });

  it('ignores parameters that name no setting', () => {
    expect(read('set.nonsense=1&recipe=unheard&preset=unheard')).toMatchObject({
      preset: 'demo',
      edits: new Map(),
    });
  });
});
