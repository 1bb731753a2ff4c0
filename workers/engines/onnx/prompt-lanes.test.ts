import { describe, expect, it } from 'vitest';
import { PromptLanes } from './prompt-lanes';

describe('the lane of a prompt', () => {
  it('is that of the longest remembered prompt it begins with', () => {
    const lanes = new PromptLanes(4);
    lanes.remember([1, 2], 3);
    lanes.remember([1, 2, 3, 4], 1);
    expect(lanes.laneOf([1, 2])).toBe(3);
    expect(lanes.laneOf([1, 2, 3])).toBe(3);
    expect(lanes.laneOf([1, 2, 3, 4, 5])).toBe(1);
    lanes.remember([1, 2], 2);
    expect(lanes.laneOf([1, 2, 9])).toBe(2);
  });

  it('is always the same for an unknown prompt, and any of the lanes', () => {
    const lanes = new PromptLanes(3);
    const prompts = Array.from({ length: 60 }, (_, i) => [7, i]);
    const chosen = prompts.map((prompt) => lanes.laneOf(prompt));
    expect(prompts.map((prompt) => lanes.laneOf(prompt))).toEqual(chosen);
    expect([...new Set(chosen)].sort()).toEqual([0, 1, 2]);
  });

  it('is forgotten after ten thousand others', () => {
    const lanes = new PromptLanes(1);
    lanes.remember([5], 7);
    for (let i = 0; i < 9_999; i++) lanes.remember([6, i], 8);
    expect(lanes.laneOf([5])).toBe(7);
    lanes.remember([6, 9_999], 8);
    expect(lanes.laneOf([5])).toBe(0);
  });
});
