import { describe, expect, it } from 'vitest';
import { aRunDetail, aRunRow } from './fixtures';
import { partsOf, RUN_PARTS, trains } from './run-parts';

const detailOf = (recipe: string) => aRunDetail({ run: aRunRow({ recipe }) });

describe('the parts of a run', () => {
  it('are all of them where it trains, before it has said anything too', () => {
    for (const recipe of ['grpo', 'sft', 'a recipe of an import'])
      expect(partsOf(detailOf(recipe))).toEqual([...RUN_PARTS]);
  });

  it.each(['checkpoint-evaluation', 'endpoint-evaluation'])(
    'are without checkpoints where %s evaluates, and with charts once it has points',
    (recipe) => {
      const detail = detailOf(recipe);
      expect(partsOf(detail)).toEqual(['overview', 'evaluations', 'log', 'config']);
      const latest = { 'eval/valid_seen/success_rate': { step: 40, value: 0.5 } };
      expect(partsOf({ ...detail, view: { ...detail.view, latest } })).toEqual([
        'overview',
        'charts',
        'evaluations',
        'log',
        'config',
      ]);
    },
  );

  it.each(['fork-turn', 'action-scores', 'play'])('of %s are its work, its log and its config', (recipe) => {
    expect(partsOf(detailOf(recipe))).toEqual(['overview', 'log', 'config']);
    expect(trains(recipe)).toBe(false);
  });
});
