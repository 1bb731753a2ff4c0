import { describe, expect, it } from 'vitest';
import { differencesOf, samplingWords, type EvaluationSettings } from './evaluation-differences';

const sampled: EvaluationSettings = {
  policy: 'checkpoint',
  split: 'valid_seen',
  splitHash: '0123456789abcdef',
  n: 140,
  environment: 'alfworld',
  environmentVersion: '0.4.2',
  environmentOptions: { expert: false, maxTurns: 50 },
  scaffold: 'react',
  decoding: 'sampled',
  temperature: 0.7,
  topK: 0,
  topP: 1,
  maxTurns: 50,
  maxReplyTokens: 512,
  maxPromptTokens: 4096,
  seed: 1,
};
const greedy: EvaluationSettings = { ...sampled, decoding: 'greedy', temperature: 0 };

const wordsOf = (changes: Partial<EvaluationSettings>, of = sampled) =>
  differencesOf(of, { ...of, ...changes }).map(({ words }) => words);

describe('differencesOf', () => {
  it('finds none between an evaluation and its repetition', () => {
    expect(wordsOf({})).toEqual([]);
  });

  it.each<[string, Partial<EvaluationSettings>]>([
    ['Checkpoint against Random offered action', { policy: 'random_offered_action' }],
    ['valid_seen against valid_unseen', { split: 'valid_unseen', splitHash: 'other', n: 134 }],
    [
      'other tasks of valid_seen: 140 (hash 01234567) against 50 (hash fedcba98)',
      { splitHash: 'fedcba9876543210', n: 50 },
    ],
    ['alfworld against household', { environment: 'household', environmentVersion: '9' }],
    ['version of alfworld 0.4.2 against 0.5.0', { environmentVersion: '0.5.0' }],
    ['option expert false against true', { environmentOptions: { expert: true, maxTurns: 50 } }],
    ['option expert false against not set', { environmentOptions: { maxTurns: 50 } }],
    ['scaffold react against tool-call', { scaffold: 'tool-call' }],
    ['temperature 0.7 against greedy', { decoding: 'greedy', temperature: 0 }],
    ['temperature 0.7 against temperature 1', { temperature: 1 }],
    ['temperature 0.7 against temperature 0.7, top-p 0.9', { topP: 0.9 }],
    ['temperature 0.7 against temperature 0.7, top-k 50', { topK: 50 }],
    [
      'at most 50 turns against 30 turns',
      { maxTurns: 30, environmentOptions: { expert: false, maxTurns: 30 } },
    ],
    ['longest reply: 512 tokens against 256 tokens', { maxReplyTokens: 256 }],
    ['longest reply: 512 tokens against not recorded', { maxReplyTokens: null }],
    ['other tasks of valid_seen: 140 (hash 01234567) against 140 (hash not recorded)', { splitHash: '' }],
    ['longest prompt: 4096 tokens against 8192 tokens', { maxPromptTokens: 8192 }],
    ['seed 1 against 2', { seed: 2 }],
  ])('says %s, and that alone', (words, changes) => {
    expect(wordsOf(changes)).toEqual([words]);
  });

  it('names a’s value first', () => {
    expect(differencesOf(greedy, sampled)).toEqual([
      { setting: 'sampling', words: 'greedy against temperature 0.7' },
    ]);
  });

  it('passes over the seeds of greedy evaluations, which draw nothing', () => {
    expect(wordsOf({ seed: 2 }, greedy)).toEqual([]);
  });

  it('passes over the checkpoint: it is what is compared', () => {
    const [a, b] = [
      { ...sampled, step: 0, checkpoint: null },
      { ...sampled, step: 40, checkpoint: { runId: 'r-0001', step: 40 } },
    ];
    expect(differencesOf(a, b)).toEqual([]);
  });
});

describe('samplingWords', () => {
  it('leaves out bounds that are off', () => {
    expect(samplingWords(sampled)).toBe('temperature 0.7');
    expect(samplingWords({ ...sampled, topP: 0.95, topK: 20 })).toBe('temperature 0.7, top-p 0.95, top-k 20');
  });
});
