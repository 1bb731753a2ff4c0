import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '@/contract/engine';
import { SDAR_PRESETS } from '@/contract/recipes/sdar-presets';
import { SdarConfig } from '@/contract/recipes/sdar';
import type { CallTokens } from '@/rl/call-tokens';
import { rowsOf, rowsToData } from '@/rl/learning/rows';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import { askTeacher, gatedGapData, markUntaught, skillFor, withSkill } from './sdar';
import { playedEpisode } from './testing/played';

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

describe('a call without a teacher', () => {
  const call = (prompt: number[], teacherLogprobs?: number[]): CallTokens => ({
    call: 'action',
    prompt,
    reply: [9, 9],
    logprobs: [-1, -1],
    ...(teacherLogprobs && { teacherLogprobs }),
  });
  /** What an update makes of the calls of one episode. */
  function gapOf(calls: CallTokens[]): ReturnType<typeof gatedGapData> {
    markUntaught(calls);
    const own = rowsOf(calls, 0.25);
    const zeros = own.map((row) => Float32Array.from([...row.prompt, ...row.reply].slice(1), () => -1));
    const made = { rows: own, data: rowsToData(own, 'token-mean'), output: { ...output, logprobs: zeros } };
    return gatedGapData(made, { coefficient: 1, sharpness: 5 });
  }

  it('adds nothing to the loss and is no part of its mean', () => {
    const alone = gapOf([call([1], [-0.5, -0.5])]);
    const beside = gapOf([call([1], [-0.5, -0.5]), call([2])]);
    expect(beside.metrics).toEqual(alone.metrics);
    expect(beside.data.map(({ lossFnInputs }) => lossFnInputs.weights)).toEqual([
      alone.data[0]?.lossFnInputs.weights,
      [0, 0],
    ]);
    expect(gapOf([call([1])])).toMatchObject({ gaps: [], metrics: {} });
  });

  it('keeps its place in the row of a conversation', () => {
    const { data: weighted } = gapOf([call([1]), call([1, 9, 9, 2], [-0.5, -0.5])]);
    expect(weighted.map(({ lossFnInputs }) => lossFnInputs.weights?.map((weight) => weight > 0))).toEqual([
      [false, false, false, true, true],
    ]);
  });
});

describe('the teacher', () => {
  const scaffold = {
    tools: undefined,
    prompt: () => [{ role: 'user', content: 'Go.' }],
  } as unknown as Scaffold;
  /** A token for each character. */
  const tokenizer = {
    encodeChat: (messages: readonly ChatMessage[]) =>
      messages.flatMap(({ content }) => [...content].map(() => 0)),
  };
  const setupOf = (contextTokens: number) => ({
    scaffold,
    context: { engine: { tokenizer, contextTokens } },
  });
  const episode = () => playedEpisode({ taskType: 'open' }, [{}]);
  const skills = [{ taskType: 'open', text: 'Look.' }];

  it('is asked about acting replies that have a skill, and no others', () => {
    const other = playedEpisode({ taskType: 'leave' }, [{}]);
    const remembering = episode();
    remembering.calls.push({ call: 'memory', prompt: [1], reply: [2], logprobs: [-1] });
    const { asked, tooLong } = askTeacher([other, remembering], skills, setupOf(100));
    expect(asked).toEqual([{ call: remembering.calls[0], prompt: [...'Look.\n\nGo.'].map(() => 0) }]);
    expect(tooLong).toBe(0);
    expect(askTeacher([remembering], [], setupOf(100))).toEqual({ asked: [], tooLong: 0 });
  });

  it('is not asked where the skill takes the reply past the context', () => {
    // A prompt of 10 and a reply of 2.
    expect(askTeacher([episode()], skills, setupOf(12)).tooLong).toBe(0);
    expect(askTeacher([episode()], skills, setupOf(11))).toEqual({ asked: [], tooLong: 1 });
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
