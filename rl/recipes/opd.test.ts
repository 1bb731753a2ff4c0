import { describe, expect, it } from 'vitest';
import { OPD_PRESETS } from '@/contract/recipes/opd-presets';
import { OpdConfig } from '@/contract/recipes/opd';
import { AppError } from '@/contract/errors';
import { continuationRows, drawReplies } from './continuations';
import { taughtRows } from './opd';
import type { JudgedReply } from './reply-format';
import { scoreReplies } from './teacher';

function aReply(changes: Partial<JudgedReply['call']> = {}, isWellFormed = true): JudgedReply {
  return {
    call: {
      call: 'action',
      prompt: [1, 2],
      reply: [3, 4],
      logprobs: [-1, -0.5],
      teacherLogprobs: [-0.25, -2],
      ...changes,
    },
    isWellFormed,
  };
}

const plain = { coefficient: 1, discount: 0, permute: false };
const advantagesOf = (replies: readonly JudgedReply[], distillation = plain, formatReward = 0) =>
  taughtRows(replies, { distillation, reward: { formatReward } }).map(({ advantages }) => advantages);

describe('a distilled reply', () => {
  it('has at each token what the teacher would have liked it more', () => {
    expect(advantagesOf([aReply()])).toEqual([[0.75, -1.5]]);
    expect(advantagesOf([aReply()], { ...plain, coefficient: 2 })).toEqual([[1.5, -3]]);
  });

  it('teaches nothing without a coefficient, and what a teacher of other opinions says changes it', () => {
    expect(advantagesOf([aReply()], { ...plain, coefficient: 0 })[0]?.map(Math.abs)).toEqual([0, 0]);
    expect(advantagesOf([aReply({ teacherLogprobs: [-1, -0.5] })])).toEqual([[0, 0]]);
  });

  it('answers for what follows where there is a discount', () => {
    expect(advantagesOf([aReply()], { ...plain, discount: 0.5 })).toEqual([[0.75 - 0.75, -1.5]]);
  });

  it('has the reward of its own format at every token', () => {
    const replies = [aReply(), aReply({ prompt: [9] }, false)];
    expect(advantagesOf(replies, plain, 0.5)).toEqual([
      [1.25, -1],
      [0.25, -2],
    ]);
  });

  it('is one row with the next where the conversation only grew; what was told in between bears nothing', () => {
    const grown = aReply({ prompt: [1, 2, 3, 4, 8] });
    const [row] = taughtRows([aReply(), grown], { distillation: plain, reward: { formatReward: 0 } });
    expect(row?.advantages).toEqual([0.75, -1.5, 0, 0.75, -1.5]);
    expect(row?.sampled).toEqual([true, true, false, true, true]);
  });
});

describe('a teacher', () => {
  it('scores each reply after its own prompt', async () => {
    const { call } = aReply();
    const asked: number[][] = [];
    const computeLogprobs = (tokens: number[]) => {
      asked.push(tokens);
      return Promise.resolve(tokens.map((id) => -id));
    };
    await scoreReplies({ computeLogprobs }, [{ call, prompt: [7, 1, 2] }]);
    expect(asked).toEqual([[7, 1, 2, 3, 4]]);
    expect(call.teacherLogprobs).toEqual([-3, -4]);
  });

  it('that leaves a token out is refused', async () => {
    const { call } = aReply();
    await expect(
      scoreReplies({ computeLogprobs: () => Promise.resolve([NaN, -1]) }, [{ call, prompt: [1] }]),
    ).rejects.toThrow(AppError);
  });
});

describe('the diagnosis', () => {
  it('counts by depth, over all lengths first and then by length', () => {
    const continued = [
      { depth: 0.8, replyTokens: 10, isWellFormed: true },
      { depth: 0.8, replyTokens: 10, isWellFormed: false },
      { depth: 0.8, replyTokens: 4096, isWellFormed: false },
      { depth: 1, replyTokens: 4095, isWellFormed: true },
    ];
    const rows = continuationRows(continued, [0.8, 1], [4096]);
    expect(
      rows.map(({ depth, fromTokens, toTokens, n, wellFormed }) => [
        depth,
        fromTokens,
        toTokens,
        n,
        wellFormed,
      ]),
    ).toEqual([
      [0.8, 0, null, 3, 1],
      [0.8, 0, 4096, 2, 1],
      [0.8, 4096, null, 1, 0],
      [1, 0, null, 1, 1],
      [1, 0, 4096, 1, 1],
      [1, 4096, null, 0, 0],
    ]);
    expect(continuationRows(continued, [0.8], []).map(({ n }) => n)).toEqual([3]);
  });

  it('draws as many replies as it is told, none twice, the same for a seed and step', () => {
    const replies = Array.from({ length: 20 }, (_, id) => aReply({ prompt: [id] }));
    const draw = (step: number) =>
      drawReplies(replies, { seed: 1, diagnosis: { replies: 5, depths: [], lengths: [] } }, step);
    expect(new Set(draw(1)).size).toBe(5);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(2)).not.toEqual(draw(1));
  });
});

describe('a config', () => {
  it.each(Object.entries(OPD_PRESETS))('of preset %s is valid', (_, preset) => {
    expect(OpdConfig.parse(preset)).toEqual(preset);
  });

  it('cuts lengths in growing order', () => {
    const diagnosis = { ...OPD_PRESETS.small.diagnosis, lengths: [{ tokens: 8 }, { tokens: 8 }] };
    expect(OpdConfig.safeParse({ ...OPD_PRESETS.small, diagnosis }).error?.issues[0]?.message).toBe(
      'expected growing lengths',
    );
  });
});
