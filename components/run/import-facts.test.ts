import { describe, expect, it } from 'vitest';
import { aRunDetail, aRunRow } from './fixtures';
import { importFacts } from './import-facts';

const run = aRunRow({ kind: 'import', recipe: 'import', preset: 'inspect' });

describe('facts of an imported run', () => {
  it('name its source and what it states of model and environment', () => {
    const config = { import: { format: 'inspect', path: 'a.eval' }, engine: { model: 'llama' } };
    expect(importFacts(aRunDetail({ run, config }))).toEqual([
      ['Source', 'a.eval'],
      ['Format', 'Evaluation log (Inspect)'],
      ['Model', 'llama'],
      ['Environment', 'n/a'],
    ]);
  });

  it('are none of a run that was trained', () => {
    expect(importFacts(aRunDetail())).toBeNull();
  });
});
