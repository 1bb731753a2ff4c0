import { describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { GrpoConfig } from '@/contract/recipes/grpo';
import { parseLaunch } from '@/contract/recipes/registry';
import { ENVIRONMENTS } from '@/contract/environments/registry';
import { SCAFFOLDS } from '@/contract/scaffolds';
import { valueAtPath } from './config-path';
import { formFields } from './form-fields';
import {
  draftConfig,
  draftIssues,
  formatEdit,
  issueOf,
  parseEdit,
  readDraft,
  variantChanges,
  type LaunchDraft,
} from './launch-draft';
import { shownFields } from './variants';
import { CLIMBS, CLIMB_FIELDS, CLIMB_PRESET } from './climb-config';

const fields = formFields(GrpoConfig);
const read = (search: string) => readDraft(new URLSearchParams(search), () => fields, null);
const field = (path: string) => {
  const found = fields.find((each) => each.path === path);
  if (!found) throw new Error(`no field ${path}`);
  return found;
};

describe('draft of a launch', () => {
  it('is the preset where nothing was typed, and passes the server’s own parse', () => {
    const draft = read('preset=verify');
    const config = draftConfig(draft, fields);
    expect(config).toEqual(GRPO_PRESETS.verify);
    expect(draftIssues(draft, config)).toEqual([]);
    expect(() => parseLaunch({ name: draft.name, recipe: 'grpo', preset: 'verify', config })).not.toThrow();
  });

  it('names what the address asks for and nothing here has', () => {
    expect(read('recipe=dqn&preset=huge&set.update.speed=2&set.steps=3').unknown).toEqual([
      'recipe dqn',
      'preset huge',
      'setting update.speed',
    ]);
    expect(read('recipe=grpo&preset=verify&set.steps=3&name=x').unknown).toEqual([]);
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

/** A draft of the invented config, from what its URL says. */
function climbDraft(search: string): LaunchDraft {
  const params = new URLSearchParams(search);
  return { ...readDraft(params, () => CLIMB_FIELDS, null), base: CLIMB_PRESET };
}
const climbConfig = (search: string) => draftConfig(climbDraft(search), CLIMB_FIELDS);

/** The URL after another variant was chosen. */
function choose(search: string, id: string): string {
  const field = CLIMB_FIELDS.find((each) => each.path === 'place.id');
  if (field?.kind !== 'variant') throw new Error('place.id is no variant');
  const params = new URLSearchParams(search);
  for (const [name, text] of Object.entries(variantChanges(climbDraft(search), CLIMB_FIELDS, field, id)))
    if (text === null) params.delete(name);
    else params.set(name, text);
  return params.toString();
}

describe('an optional part of a draft', () => {
  it('starts from its schema’s defaults and takes what is typed', () => {
    expect(climbConfig('')).toMatchObject({ hut: null });
    expect(climbConfig('set.hut=set')).toMatchObject({ hut: { fee: 0 } });
    expect(climbConfig('set.hut=set&set.hut.beds=4')).toMatchObject({ hut: { beds: 4, fee: 0 } });
  });

  it('is null where it is left out, and what was typed in it waits', () => {
    expect(climbConfig('set.hut=&set.hut.beds=4')).toMatchObject({ hut: null });
    expect(climbConfig('set.hut.beds=4')).toMatchObject({ hut: null });
  });

  it('with a text that is no choice stays in the config, so that the schema refuses it by name', () => {
    expect(climbConfig('set.hut=tent')).toMatchObject({ hut: 'tent' });
  });
});

describe('variants of a draft', () => {
  it('start from their own defaults, whatever was typed for another one under the same name', () => {
    const before = 'set.place.height=12';
    expect(climbConfig(before)).toMatchObject({ place: { id: 'hill', height: 12 } });
    const after = choose(before, 'tower');
    expect(after).toBe('kept.place.hill.height=12&set.place.id=tower');
    expect(climbConfig(after)).toMatchObject({ place: CLIMBS.tower.defaults });
  });

  it('come back as they were left when they are chosen again', () => {
    const hill = 'set.place.height=12';
    const tower = `${choose(hill, 'tower')}&set.place.height=90&set.place.signs={"top":"up"}`;
    expect(climbConfig(tower)).toMatchObject({ place: { height: 90, signs: { top: 'up' } } });
    const back = choose(tower, 'hill');
    expect(climbConfig(back)).toEqual(climbConfig(hill));
    expect(new URLSearchParams(back).has('set.place.id')).toBe(false);
    expect(climbConfig(choose(back, 'tower'))).toEqual(climbConfig(tower));
  });

  it('that nobody knows stay in the config, so that the schema refuses them by name', () => {
    expect(climbConfig('set.place.id=sea')).toMatchObject({ place: { id: 'sea' } });
    const draft = read('set.environment.id=sea');
    const issues = draftIssues(draft, draftConfig(draft, fields));
    expect(issues.map((issue) => issue.path)).toContain('config.environment.id');
  });

  it.each([
    ...Object.entries(ENVIRONMENTS).map(([id, { defaults }]) => ['environment', id, defaults] as const),
    ...Object.entries(SCAFFOLDS).map(([id, { defaults }]) => ['scaffold', id, defaults] as const),
  ])('of the %s include %s, whose defaults the schema takes', (part, id, defaults) => {
    const draft = read(`set.${part}.id=${id}`);
    const config = draftConfig(draft, fields);
    expect(valueAtPath(config, part)).toEqual(defaults);
    // Whether a scaffold suits an environment is told at its id, and is not the form's to know.
    const paths = draftIssues(draft, config).map((issue) => issue.path);
    expect(paths.filter((path) => path.startsWith(`config.${part}`) && path !== `config.${part}.id`)).toEqual(
      [],
    );
    const shown = shownFields(fields, config).map((field) => field.path);
    expect(Object.keys(defaults).filter((name) => !shown.includes(`${part}.${name}`))).toEqual([]);
  });
});
