import { expect, it } from 'vitest';
import { actionTokens } from './action-tokens';
import { aTurn } from './recipes/testing/played';

const END = 9;

function aRecordedTurn(texts: string[], turn: { action: string; thought?: string }) {
  const ids = texts.map((text, index) => (text === '<end>' ? END : index + 10));
  return aTurn({ ...turn, tokens: { ids, texts, logprobs: texts.map(() => -1) } }, 0);
}

it('are those that write the action, the last time the reply names it', () => {
  const texts = ['Thought:', ' turn left', ' now', ' Action:', ' turn', ' left', '<end>'];
  const turn = aRecordedTurn(texts, { action: 'turn left', thought: 'turn left now' });
  expect(actionTokens(turn, [END])).toEqual({ part: 'action', from: 4, to: 6 });
});

it('take in a token that holds a part of it', () => {
  const turn = aRecordedTurn(['A: g', 'o!', '<end>'], { action: 'go' });
  expect(actionTokens(turn, [END])).toEqual({ part: 'action', from: 0, to: 2 });
});

it('are what follows the thought where the reply does not spell the action, without the token that ends it', () => {
  const texts = ['<think>', 'left', '</think>', '{"name":', ' "turn_left"}', '<end>'];
  const call = aRecordedTurn(texts, { action: 'turn left', thought: 'left' });
  expect(actionTokens(call, [END])).toEqual({ part: 'after-thought', from: 2, to: 5 });
  expect(actionTokens({ ...call, thought: null }, [END])).toEqual({ part: 'after-thought', from: 0, to: 5 });
  const cut = aRecordedTurn(['left', ' turn_'], { action: 'turn left', thought: 'left' });
  expect(actionTokens(cut, [END])).toEqual({ part: 'after-thought', from: 1, to: 2 });
});

it('are none where the reply holds no action or no tokens were recorded', () => {
  expect(actionTokens(aRecordedTurn(['hm'], { action: '' }), [END])).toBeNull();
  expect(actionTokens({ ...aRecordedTurn(['go'], { action: 'go' }), tokens: null }, [END])).toBeNull();
});
