import { describe, expect, it } from 'vitest';
import { SDAR_PRESETS } from '@/contract/recipes/sdar-presets';
import { SdarConfig } from '@/contract/recipes/sdar';
import { rowsOf, rowsToData } from '@/rl/learning/rows';
import { gatedGapData, skillFor, withSkill } from './sdar';

const rows = rowsOf(
  [
    { prompt: [1, 2, 3], reply: [4, 5], logprobs: [-1, -1], teacherLogprobs: [-0.5, -2] },
    { prompt: [6], reply: [7], logprobs: [-1], teacherLogprobs: [-1] },
  ],
  0.25,
);
const data = rowsToData(rows, 'token-mean');
/** The policy as it is at the update: the first reply's tokens are at targets 2 and 3, the second's at 0. */
const output = {
  logprobs: [Float32Array.from([NaN, NaN, -1, -1]), Float32Array.from([-1])],
  lossSum: 0,
  trainedTokens: 7,
};
const pass = { rows, data, output };

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const gates = [sigmoid(5 * 0.5), sigmoid(5 * -1), sigmoid(0)];

describe('the gated gap', () => {
  it('is a cross-entropy that weighs each sampled token by its gate, and nothing else', () => {
    const { data: weighted } = gatedGapData(pass, { coefficient: 0.01, sharpness: 5 });
    const [first, second] = weighted.map(({ lossFnInputs }) => lossFnInputs.weights ?? []);
    expect(first?.slice(0, 2)).toEqual([0, 0]);
    expect(first?.[2]).toBeCloseTo((0.01 * (gates[0] ?? NaN)) / 3, 8);
    expect(first?.[3]).toBeCloseTo((0.01 * (gates[1] ?? NaN)) / 3, 8);
    expect(second?.[0]).toBeCloseTo((0.01 * (gates[2] ?? NaN)) / 3, 8);
    expect(weighted.map(({ lossFnInputs }) => lossFnInputs.targetTokens)).toEqual([[2, 3, 4, 5], [7]]);
  });

  it('is measured before its coefficient, and a teacher without an opinion is not counted as liking better', () => {
    const { metrics } = gatedGapData(pass, { coefficient: 0.01, sharpness: 5 });
    const [a = NaN, b = NaN, c = NaN] = gates;
    expect(metrics['sdar/gate_mean']).toBeCloseTo((a + b + c) / 3, 8);
    expect(metrics['sdar/gate_active_ratio']).toBeCloseTo(1 / 3, 8);
    expect(metrics['sdar/teacher_gap_mean']).toBeCloseTo((0.5 - 1) / 3, 8);
    expect(metrics['sdar/loss']).toBeCloseTo((0.5 * a - b) / 3, 7);
    expect(gatedGapData(pass, { coefficient: 1, sharpness: 5 }).metrics).toEqual(metrics);
  });

  it('has no gradient where its coefficient is 0', () => {
    const { data: weighted } = gatedGapData(pass, { coefficient: 0, sharpness: 5 });
    expect(weighted.flatMap(({ lossFnInputs }) => lossFnInputs.weights).every((weight) => weight === 0)).toBe(
      true,
    );
  });
});

describe('a skill', () => {
  const skills = [
    { taskType: '', text: 'Look around.' },
    { taskType: 'open', text: 'Find the key.' },
  ];

  it('is the task type’s own, else the one for all, else none', () => {
    expect(skillFor('open', skills)).toBe('Find the key.');
    expect(skillFor('pick up', skills)).toBe('Look around.');
    expect(skillFor('pick up', skills.slice(1))).toBeNull();
  });

  it('stands before the first message of the user alone', () => {
    const messages = [
      { role: 'system' as const, content: 'You act.' },
      { role: 'user' as const, content: 'Go.' },
      { role: 'user' as const, content: 'On.' },
    ];
    expect(withSkill(messages, 'Look.').map(({ content }) => content)).toEqual([
      'You act.',
      'Look.\n\nGo.',
      'On.',
    ]);
  });
});

describe('a config', () => {
  it.each(Object.entries(SDAR_PRESETS))('of preset %s is valid', (_, preset) => {
    expect(SdarConfig.parse(preset)).toEqual(preset);
  });

  it('has one skill for a task type', () => {
    const skill = { taskType: 'open', text: 'Find the key.' };
    const distillation = { ...SDAR_PRESETS.small.distillation, skills: [skill, skill] };
    expect(SdarConfig.safeParse({ ...SDAR_PRESETS.small, distillation }).error?.issues[0]?.message).toBe(
      'expected each task type once',
    );
  });
});
