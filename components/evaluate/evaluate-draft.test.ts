import { describe, expect, it } from 'vitest';
import { BABYAI_SPLIT_SIZES } from '@/contract/environments/babyai';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { draftOf, readDraft, splitSizes, type EvaluateDraft } from './evaluate-draft';

const source = GRPO_PRESETS.demo;
const draft = draftOf(source, 'r-0001', [10, 20]);
const read = (changes: Partial<EvaluateDraft>) => readDraft({ ...draft, ...changes }, source, 'r-0001');

describe('a draft', () => {
  it('begins with how the run evaluated itself at its last step', () => {
    const { temperature, topP, topK, finalSplits, decodings } = source.evaluation;
    expect(draft).toMatchObject({
      temperature: String(temperature),
      topP: String(topP),
      topK: String(topK),
      seeds: String(source.seed),
      maxTurns: String(source.environment.maxTurns),
      maxReplyTokens: String(source.rollout.maxReplyTokens),
      decodings: { greedy: decodings.includes('greedy'), sampled: decodings.includes('sampled') },
    });
    for (const { split, tasks } of finalSplits) expect(draft.tasks[split]).toBe(String(tasks));
  });

  it('counts what it plays: checkpoints × tasks × (one greedy and each seed sampled)', () => {
    const tasks = { train: '', valid_seen: '40', valid_unseen: '10' };
    const both = { greedy: true, sampled: true };
    expect(read({ tasks, decodings: both, seeds: '1, 2 3' })).toMatchObject({
      issues: {},
      evaluations: 2 * 2 * (1 + 3),
      trajectories: 2 * (40 + 10) * (1 + 3),
    });
  });

  it('asks for what was typed', () => {
    expect(
      read({ tasks: { train: '', valid_seen: '', valid_unseen: '7' }, topP: '0.9', maxTurns: '6' }).request,
    ).toMatchObject({
      steps: [10, 20],
      splits: [{ split: 'valid_unseen', tasks: 7 }],
      topP: 0.9,
      maxTurns: 6,
    });
  });

  it.each<[string, Partial<EvaluateDraft>, RegExp]>([
    ['seeds', { seeds: '1, 1' }, /each seed once/],
    ['seeds', { seeds: '' }, /^expected 1 or more entries$/],
    ['temperature', { temperature: '' }, /number/],
    ['topP', { topP: '1.5' }, /got 1\.5$/],
    ['topK', { topK: '-1' }, /^expected 0 or more, got -1$/],
    ['maxTurns', { maxTurns: '0' }, /^expected 1 or more, got 0$/],
    ['decodings', { decodings: { greedy: false, sampled: false } }, /greedy or sampled/],
    ['steps', { steps: [] }, /^expected 1 or more entries$/],
    ['valid_seen', { tasks: { train: '', valid_seen: '', valid_unseen: '' } }, /expected a split/],
    ['valid_unseen', { tasks: { ...draft.tasks, valid_unseen: '99999999' } }, /valid_unseen of babyai has/],
  ])('says at %s what is wrong with it, and counts nothing', (field, changes, message) => {
    const { issues, trajectories } = read(changes);
    expect(issues).toEqual({ [field]: expect.stringMatching(message) });
    expect(trajectories).toBeNull();
  });

  it('knows how many tasks each split has', () => {
    expect(splitSizes(source)).toContainEqual({ split: 'valid_seen', size: BABYAI_SPLIT_SIZES.valid_seen });
  });

  it('has a split to play where the run never evaluated itself', () => {
    const never = {
      ...source,
      evaluation: { ...source.evaluation, splits: [], finalSplits: [], decodings: [] },
    };
    const own = draftOf(never, 'r-0001', [0]);
    expect(own.tasks.valid_seen).toBe(String(BABYAI_SPLIT_SIZES.valid_seen));
    expect(own.decodings).toEqual({ greedy: true, sampled: false });
    expect(readDraft(own, never, 'r-0001').issues).toEqual({});
  });
});
