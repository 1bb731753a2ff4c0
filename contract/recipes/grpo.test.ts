import { describe, expect, it } from 'vitest';
import { toFieldIssues } from '../parse';
import { GRPO_PRESETS } from './grpo-presets';
import { GrpoConfig } from './grpo';

const { demo } = GRPO_PRESETS;

function issuesOf(changes: object): { path: string; message: string }[] {
  const parsed = GrpoConfig.safeParse({ ...demo, ...changes });
  return parsed.success ? [] : toFieldIssues(parsed.error);
}

describe('a config of grpo', () => {
  it.each(['/etc', '../secrets', 'models/../../etc', '..', '/'])('refuses the model folder %s', (model) => {
    expect(issuesOf({ engine: { ...demo.engine, model } })).toEqual([
      { path: 'engine.model', message: 'expected a folder below the repository: no leading / and no ..' },
    ]);
  });

  it.each(['models/babyai-tiny', 'Qwen/Qwen2.5-1.5B-Instruct', 'models/v..2'])(
    'takes the model folder %s',
    (model) => {
      expect(issuesOf({ engine: { ...demo.engine, model } })).toEqual([]);
    },
  );

  it('asks no split for more tasks than its list has', () => {
    const sizes = [
      { split: 'valid_seen', tasks: 420 },
      { split: 'valid_unseen', tasks: 121 },
    ];
    expect(issuesOf({ evaluation: { ...demo.evaluation, splits: sizes, finalSplits: sizes } })).toEqual([
      { path: 'evaluation.splits.1.tasks', message: 'valid_unseen of babyai has 120 tasks, asked for 121' },
      {
        path: 'evaluation.finalSplits.1.tasks',
        message: 'valid_unseen of babyai has 120 tasks, asked for 121',
      },
    ]);
    expect(issuesOf({ probe: { tasks: 421, samples: 1 } }).map(({ path }) => path)).toEqual(['probe.tasks']);
    expect(issuesOf({ probe: { tasks: 420, samples: 1 } })).toEqual([]);
  });

  it('refuses a scaffold that cannot write the environment’s actions, by name', () => {
    expect(issuesOf({ scaffold: { id: 'tool-call' } })).toEqual([
      {
        path: 'scaffold.id',
        message:
          'tool-call does not suit babyai; scaffolds that do: recent-actions, react, verl-agent, strata, listed-strategies',
      },
    ]);
    const react = { id: 'react', rules: 'household', parser: 'one-action', actionList: 'every-turn' };
    expect(issuesOf({ scaffold: react }).map(({ path }) => path)).toEqual(['scaffold.rules']);
    expect(issuesOf({ scaffold: { ...react, rules: 'babyai' } })).toEqual([]);
  });

  it('names a split, a decoding and a level once, since two figures of one name at one step are none', () => {
    const twice = [
      { split: 'valid_seen', tasks: 2 },
      { split: 'valid_seen', tasks: 3 },
    ];
    const evaluation = {
      ...demo.evaluation,
      splits: twice,
      finalSplits: twice,
      decodings: ['greedy', 'greedy'],
    };
    const environment = { ...demo.environment, levels: ['Open', 'Open'] };
    expect(issuesOf({ evaluation, environment })).toEqual([
      { path: 'environment.levels', message: 'expected each level once' },
      { path: 'evaluation.splits', message: 'expected each split once' },
      { path: 'evaluation.finalSplits', message: 'expected each split once' },
      { path: 'evaluation.decodings', message: 'expected each decoding once' },
    ]);
  });

  it('keeps the decay rates of AdamW below 1, where its bias correction divides by 0', () => {
    const issues = issuesOf({ update: { ...demo.update, beta1: 1, beta2: 1 } });
    expect(issues.map(({ path }) => path)).toEqual(['update.beta1', 'update.beta2']);
  });
});
