import { describe, expect, it } from 'vitest';
import { splitTemplate, templateFault, templateSchema } from './prompt-template';

const PARTS = {
  opening: { about: 'What is said first', placeholders: ['goal', 'sight'] },
  separator: { about: 'Between two', placeholders: [] },
} as const;

describe('a part of a template', () => {
  it('is cut at its placeholders', () => {
    expect(splitTemplate('To {goal}: {sight}')).toEqual([
      { text: 'To ' },
      { placeholder: 'goal' },
      { text: ': ' },
      { placeholder: 'sight' },
      { text: '' },
    ]);
  });

  it('keeps doubled braces as one pair, and every other brace, such as those of JSON', () => {
    const textOf = (text: string) =>
      splitTemplate(text).map((segment) => ('text' in segment ? segment.text : '?'));
    expect(textOf('{{goal}}').join('')).toBe('{goal}');
    const json = '{"name": "turn_left", "arguments": {}} {Goal} {a b} {1}';
    expect(textOf(json).join('')).toBe(json);
  });

  it('is refused with a placeholder that it does not know', () => {
    expect(templateFault('{goal} {sight} {{time}}', ['goal', 'sight'])).toBeNull();
    expect(templateFault('{time}', ['goal', 'sight'])).toBe(
      'unknown placeholder {time}: this part has {goal}, {sight}; {{time}} is the text itself',
    );
    expect(templateFault('{time}', [])).toContain('this part has none');
  });
});

describe('a template', () => {
  const schema = templateSchema(PARTS);

  it('may replace any of the parts', () => {
    expect(schema.parse({})).toEqual({});
    expect(schema.parse({ opening: '{goal}', separator: '' })).toEqual({ opening: '{goal}', separator: '' });
  });

  it('is refused by the name of the part, with what would be valid', () => {
    const issuesOf = (value: unknown) =>
      schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(issuesOf({ ending: '' })).toEqual([': unknown part ending; parts: opening, separator']);
    expect(issuesOf({ separator: '{goal}' })).toEqual([
      'separator: unknown placeholder {goal}: this part has none; {{goal}} is the text itself',
    ]);
    expect(issuesOf({ opening: 'x'.repeat(20_001) })).toHaveLength(1);
  });

  it('describes each part with its placeholders', () => {
    expect(schema.shape.opening.description).toBe('What is said first; this part has {goal}, {sight}');
    expect(schema.shape.separator.description).toBe('Between two');
  });
});
