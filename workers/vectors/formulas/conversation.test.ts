import { describe, expect, it } from 'vitest';
import { conversationRow } from './conversation';
import type { RowCall } from '@/rl/learning/rows';

const call = (prompt: number[], reply: number[]): RowCall => ({
  prompt,
  reply,
  logprobs: reply.map(() => -1),
});
const CALLS = [call([1, 2], [3]), call([1, 2, 3, 4], [5, 6])];
const LIMIT = { maxTokens: 100 };

describe('the row of a conversation', () => {
  it('ends with what it was told last, which bears no loss', () => {
    expect(conversationRow({ calls: CALLS, unanswered: [1, 2, 3, 4, 5, 6, 7, 8] }, 2, LIMIT)).toEqual({
      prompt: [1, 2],
      reply: [3, 4, 5, 6, 7, 8],
      logprobs: [-1, 0, -1, -1, 0, 0],
      sampled: [true, false, true, true, false, false],
      advantages: [2, 0, 2, 2, 0, 0],
    });
  });

  it('passes over calls without a reply, and keeps each advantage with its call', () => {
    const calls = [call([1, 2], [3]), call([1, 2, 3, 4], []), call([1, 2, 3, 4, 5], [6])];
    const row = conversationRow({ calls, unanswered: null }, [1, 2, 3], LIMIT);
    expect(row.advantages).toEqual([1, 0, 0, 3]);
  });

  it('refuses a prompt that was written anew', () => {
    const calls = [...CALLS, call([1, 2, 9], [5])];
    expect(() => conversationRow({ calls, unanswered: null }, 1, LIMIT)).toThrow('the prompt [1, 2, 9, ...]');
    expect(() => conversationRow({ calls: CALLS, unanswered: [1] }, 1, LIMIT)).toThrow('does not go on');
  });

  it('refuses one without sampled tokens, with too many, or with log-probabilities of other tokens', () => {
    expect(() => conversationRow({ calls: [call([1], [])], unanswered: [1, 2] }, 1, LIMIT)).toThrow(
      'without a sampled token',
    );
    expect(() => conversationRow({ calls: [], unanswered: null }, 1, LIMIT)).toThrow(
      'without a sampled token',
    );
    expect(() => conversationRow({ calls: CALLS, unanswered: null }, 1, { maxTokens: 5 })).toThrow(
      'has 6 tokens, at most 5',
    );
    const odd = { ...call([1], [2, 3]), logprobs: [-1] };
    expect(() => conversationRow({ calls: [odd], unanswered: null }, 1, LIMIT)).toThrow(
      'call 0 has 1 log-probabilities for 2 tokens',
    );
    expect(() => conversationRow({ calls: [call([], [1])], unanswered: null }, 1, LIMIT)).toThrow(
      'call 0 has an empty prompt',
    );
  });
});
