import { describe, expect, it } from 'vitest';
import { readTemplate } from './template';

describe('readTemplate', () => {
  it('reads literals, symbols, expressions and lists', () => {
    expect(
      readTemplate("You see [{o.indefinite + ' ' + o.name | in(o:object, r:receptacle)}]. #task#"),
    ).toEqual([
      { kind: 'literal', text: 'You see ' },
      {
        kind: 'each',
        list: true,
        item: {
          kind: 'expression',
          terms: [
            { kind: 'fields', fields: [{ variable: 'o', field: 'indefinite' }] },
            { kind: 'literal', text: ' ' },
            { kind: 'fields', fields: [{ variable: 'o', field: 'name' }] },
          ],
        },
        query: 'in(o:object, r:receptacle)',
      },
      { kind: 'literal', text: '. ' },
      { kind: 'symbol', name: 'task' },
    ]);
    expect(readTemplate('{#overview(r)# | near(r:receptacle)}')).toMatchObject([
      { kind: 'each', list: false, item: { kind: 'symbol', name: 'overview(r)' } },
    ]);
    expect(readTemplate('{r.name or r.id}')).toMatchObject([
      { item: { terms: [{ fields: [{ field: 'name' }, { field: 'id' }] }] }, query: null },
    ]);
  });

  it('takes white space and comments at the start for comments', () => {
    expect(readTemplate('\n  \n// note\nAvailable:\n  look\n')).toEqual([
      { kind: 'literal', text: 'Available:\n  look\n' },
    ]);
  });

  it('ends where upstream cannot read on', () => {
    const text = (template: string) =>
      readTemplate(template)
        .map((piece) => (piece.kind === 'literal' ? piece.text : '*'))
        .join('');
    expect(text('a {o.name} (in the {r.name})} and more')).toBe('a * (in the *)');
    expect(text('put it there; then go')).toBe('put it there');
    expect(text('an [open bracket')).toBe('an ');
    expect(text('a "quoted" word')).toBe('a quoted word');
  });

  it('refuses expressions that no grammar uses', () => {
    expect(() => readTemplate('{o.name.upper()}')).toThrow(
      '{o.name.upper()} is not an expression that can be read',
    );
    expect(() => readTemplate('{o.weight}')).toThrow('{o.weight} is not an expression');
    expect(() => readTemplate(`{${'o'.repeat(501)}}`)).toThrow('an expression has 501 characters');
  });
});
