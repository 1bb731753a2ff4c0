import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { configLeaves } from '@/components/run/config-rows';
import { CLIMB_FIELDS, CLIMB_PRESET, CLIMBS, ClimbConfig } from './climb-config';
import { valueAtPath, withValue } from './config-path';
import { titleOf } from './field-title';
import { formFields, matchesField, type FormField } from './form-fields';
import { formatEdit, parseEdit } from './launch-draft';
import { everyField, shownFields, withVariants } from './variants';

const grpo = formFields(RECIPES.grpo.config);
const climb = shownFields(CLIMB_FIELDS, { ...CLIMB_PRESET, place: CLIMBS.tower.defaults });
const fieldIn = (fields: readonly FormField[], path: string) => {
  const found = fields.find((each) => each.path === path);
  if (!found) throw new Error(`no field ${path}`);
  return found;
};

const presets = Object.values<RecipeEntry>(RECIPES).flatMap((recipe) =>
  Object.entries(recipe.presets).map(([name, config]) => [recipe.id, name, recipe, config] as const),
);

describe('fields of the form', () => {
  it.each(presets)('show every setting of %s %s, with its words', (_recipe, _preset, recipe, config) => {
    const fields = shownFields(formFields(recipe.config), config);
    const leaves = configLeaves(config).map((leaf) => leaf.key);
    const isShown = (key: string) =>
      fields.some(({ path, kind }) => key === path || (kind === 'parts' && key.startsWith(`${path}.`)));
    expect(leaves.filter((key) => !isShown(key))).toEqual([]);
    const silent = everyField(fields).filter(
      ({ kind, description }) => description === '' && kind !== 'constant' && kind !== 'variant',
    );
    expect(silent).toEqual([]);
  });

  it('take kind, bounds and options from the schema', () => {
    expect(fieldIn(grpo, 'rollout.groupSize')).toMatchObject({
      kind: 'number',
      integer: true,
      min: 2,
      max: 512,
      section: 'rollout',
    });
    expect(fieldIn(grpo, 'advantage.scale')).toMatchObject({ kind: 'choice', options: ['none', 'std'] });
    expect(fieldIn(grpo, 'evaluation.decodings')).toMatchObject({
      kind: 'choices',
      options: ['greedy', 'sampled'],
    });
    expect(fieldIn(grpo, 'evaluation.splits')).toMatchObject({ kind: 'rows' });
    expect(fieldIn(grpo, 'seed').section).toBe('');
    expect(fieldIn(climb, 'offset')).toMatchObject({ min: null, max: null });
  });

  it('of a part with variants are the choice and then those of the chosen one', () => {
    const places = (config: unknown) =>
      shownFields(CLIMB_FIELDS, config).filter(({ section }) => section === 'place');
    expect(places(CLIMB_PRESET).map(({ path }) => path)).toEqual(['place.id', 'place.height']);
    expect(places({ place: { id: 'tower' } }).map(({ path }) => path)).toEqual([
      'place.id',
      'place.height',
      'place.signs',
      'place.notes',
      'place.words',
    ]);
    expect(places({ place: { id: 'sea' } }).map(({ path }) => path)).toEqual(['place.id']);
    expect(fieldIn(climb, 'place.id')).toMatchObject({
      title: 'Place',
      variants: [{ title: 'A hill' }, { title: 'A tower' }],
    });
  });

  it('of a part that may be null are the choice and, where it is there, its own', () => {
    const hut = (config: unknown) =>
      shownFields(CLIMB_FIELDS, config).flatMap(({ section, path }) => (section === 'hut' ? [path] : []));
    expect(hut(CLIMB_PRESET)).toEqual(['hut']);
    expect(hut({ ...CLIMB_PRESET, hut: { beds: 2, fee: 0 } })).toEqual(['hut', 'hut.beds', 'hut.fee']);
    expect(fieldIn(CLIMB_FIELDS, 'hut')).toMatchObject({
      kind: 'optional',
      title: 'Hut',
      description: 'Where to sleep; none = back the same day',
      defaults: { fee: 0 },
    });
  });

  it('of named texts know the names that there can be', () => {
    const names = (path: string) => {
      const field = fieldIn(climb, path);
      return field.kind === 'parts' ? field.names?.map(({ name, about }) => [name, about]) : undefined;
    };
    expect(names('place.signs')).toEqual([
      ['foot', ''],
      ['top', ''],
    ]);
    expect(names('place.words')).toEqual([
      ['up', 'Said on the way up'],
      ['down', 'Said on the way down'],
    ]);
    expect(fieldIn(climb, 'place.notes')).toMatchObject({ kind: 'parts', names: null });
    expect(fieldIn(climb, 'place.signs')).toMatchObject({ multiline: true });
    expect(fieldIn(climb, 'place.words')).toMatchObject({ multiline: false, empty: 'absent' });
    expect(fieldIn(climb, 'log')).toMatchObject({ kind: 'text', multiline: true });
  });

  it('refuse a schema with a shape that no control shows, and a variant that nobody has titled', () => {
    const nested = z.strictObject({ pairs: z.array(z.array(z.int())) });
    expect(() => formFields(nested)).toThrow('the form has no field for pairs');
    expect(() => formFields(ClimbConfig)).toThrow('the form knows no variant hill of place');
  });

  it('are found by key, title or description', () => {
    expect(grpo.filter((each) => matchesField(each, 'clipped above')).map((each) => each.path)).toEqual([
      'update.clipHigh',
    ]);
  });

  it('are titled by their keys, acronyms as such', () => {
    expect(['maxReplyTokens', 'klCoef', 'ppoEpochs', 'eps', 'seed'].map(titleOf)).toEqual([
      'Max reply tokens',
      'KL coefficient',
      'PPO epochs',
      'Epsilon',
      'Seed',
    ]);
  });
});

describe('a value in a field', () => {
  const throughText = (path: string, value: unknown) => parseEdit(fieldIn(climb, path), formatEdit(value));

  it('comes back from its text as it was', () => {
    const values: [string, unknown][] = [
      ['offset', -7],
      ['guide', 'Ann'],
      ['guide', null],
      ['pace', null],
      ['weather', null],
      ['weather', 'rain'],
      ['log', ''],
      ['log', 'two\nlines'],
      ['nickname', undefined],
      ['place.signs', { top: 'the\ntop' }],
    ];
    for (const [path, value] of values) expect([path, throughText(path, value)]).toEqual([path, value]);
  });

  it('that is no value of its kind stays text', () => {
    expect(parseEdit(fieldIn(climb, 'offset'), ' ')).toBe(' ');
    expect(parseEdit(fieldIn(climb, 'place.signs'), '{"top"')).toBe('{"top"');
  });
});

describe('a config with chosen variants', () => {
  it('keeps a part that has the variant already and leaves the given config as it was', () => {
    const high = withValue(CLIMB_PRESET, 'place.height', 33);
    expect(withVariants(high, CLIMB_FIELDS, new Map([['place.id', 'hill']]))).toEqual(high);
    const tower = withVariants(high, CLIMB_FIELDS, new Map([['place.id', 'tower']]));
    expect(ClimbConfig.parse(tower).place).toEqual(CLIMBS.tower.defaults);
    expect(valueAtPath(high, 'place.height')).toBe(33);
    expect(CLIMB_PRESET.place.height).toBe(10);
  });
});
