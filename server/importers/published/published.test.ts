import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newcombe } from '@/stats/newcombe';
import { summariseSeeds } from '@/stats/seeds';
import { fileOf, readSource } from '../testing/read-source';

const PUBLISHED = path.join(process.env.STEPSCOPE_DATA ?? '../shared/data', '../published');

/** The evaluations of a text's run, as `step split k/n`. */
async function evaluations(file: string, part: string | null = null) {
  const { events, format } = await readSource(path.join(PUBLISHED, file), { part });
  expect(format).toBe('published');
  return events.flatMap((event) => (event.kind === 'evaluation:finished' ? [event.evaluation] : []));
}

const counts = (rows: Awaited<ReturnType<typeof evaluations>>) =>
  rows.map(({ step, split, successes, n }) => `${step} ${split} ${successes}/${n}`);

describe.skipIf(!existsSync(PUBLISHED))('the published texts (STEPSCOPE_DATA/../published)', () => {
  it('AgentGym-RL: 3/4 at step 1, 1/4 at step 31', async () => {
    const rows = await evaluations('agentgym-rl-babyai.txt');
    expect(counts(rows)).toEqual(['1 train 3/4', '31 train 1/4']);
    expect(rows.map(({ rewardMean, temperature }) => [rewardMean, temperature])).toEqual([
      [0.64, null],
      [0.25, null],
    ]);
  });

  it('StraTA: 16 points from 1/140 to 121/140', async () => {
    const rows = await evaluations('strata-alfworld.txt', 'curve');
    expect(rows.map(({ step }) => step)).toEqual(Array.from({ length: 16 }, (_, index) => index * 10));
    expect(rows.map(({ successes }) => successes)).toEqual([
      1, 1, 5, 2, 20, 26, 9, 32, 52, 59, 61, 71, 97, 119, 117, 121,
    ]);
    expect(rows[0]).toMatchObject({ temperature: 0.7, topP: 0.8, topK: 20, maxTurns: 50, seed: null });
  });

  it('StraTA: two seeds by task type, 86.79 ± 1.52 with the sample deviation', async () => {
    const rows = await evaluations('strata-alfworld.txt', 'final');
    expect(rows.map(({ seed, successes, n }) => [seed, successes, n])).toEqual([
      [1, 123, 140],
      [2, 120, 140],
    ]);
    expect(rows[1]?.byTaskType.map(({ successes, n }) => `${successes}/${n}`)).toEqual([
      '34/35',
      '25/27',
      '21/24',
      '13/16',
      '18/25',
      '9/13',
    ]);
    const { mean, standardDeviation } = summariseSeeds(rows.map(({ successes, n }) => (100 * successes) / n));
    expect([mean.toFixed(2), standardDeviation?.toFixed(2)]).toEqual(['86.79', '1.52']);
  });

  it('StraTA: the six keys of 533 that differ', async () => {
    const { facts } = await readSource(path.join(PUBLISHED, 'strata-alfworld.txt'), { part: 'curve' });
    expect(facts).toMatchObject({
      differingKeys: 6,
      keys: 533,
      resolved: { 'trainer.n_gpus_per_node': '2' },
      upstream: { 'trainer.n_gpus_per_node': '8' },
    });
  });

  it('agentic-rl-lab: both splits of three checkpoints, and the bill', async () => {
    const rows = await evaluations('agentic-rl-lab-alfworld.txt');
    expect(counts(rows)).toEqual([
      '0 valid_seen 74/140',
      '0 valid_unseen 71/134',
      '40 valid_seen 80/140',
      '40 valid_unseen 70/134',
      '80 valid_seen 77/140',
      '80 valid_unseen 79/134',
    ]);
    expect(rows[0]).toMatchObject({ temperature: 0.01, seed: 42, maxTurns: 50, topP: null });
    const { difference, low, high } = newcombe({ k: 79, n: 134 }, { k: 71, n: 134 });
    expect([difference, low, high].map((value) => (100 * value).toFixed(1))).toEqual(['6.0', '-5.8', '17.6']);

    const { facts, events } = await readSource(path.join(PUBLISHED, 'agentic-rl-lab-alfworld.txt'));
    expect(facts).toMatchObject({ bill: { currency: 'CNY', total: 1613.71 } });
    expect(events.at(-1)).toMatchObject({
      step: 80,
      points: [{ value: 843.51e6 }, { value: 62.24e6 }, { value: 14.28e6 }],
    });
  });

  it('BabyAI-Text: each version’s evaluations of 50 tasks at the steps that are stated', async () => {
    const found = await Promise.all(
      ['v1.1', 'v1.2', 'v2.2.1', 'v2.2.2', 'v3.1-teacher', 'v3.2'].map(async (part) => [
        part,
        (await evaluations('babyai-text-rl-opd.txt', part)).map(
          ({ step, successes, n }) => `${step}: ${successes}/${n}`,
        ),
      ]),
    );
    expect(Object.fromEntries(found)).toEqual({
      'v1.1': ['60: 15/50'],
      'v1.2': ['60: 18/50'],
      'v2.2.1': ['1000: 32/50'],
      'v2.2.2': ['820: 37/50'],
      'v3.1-teacher': ['554: 39/50'],
      'v3.2': ['80: 37/50', '510: 39/50'],
    });
  });

  it('BabyAI-Text: general capability of a version and of its base', async () => {
    const { events } = await readSource(path.join(PUBLISHED, 'babyai-text-rl-opd.txt'), { part: 'v3.2' });
    const results = events.flatMap((event) => (event.kind === 'capability:measured' ? [event.result] : []));
    expect(results.map(({ model, isBase, step, benchmark }) => [model, isBase, step, benchmark])).toEqual([
      ['Qwen3-14B', true, 0, 'ifeval'],
      ['Qwen3-14B', true, 0, 'mmlu_redux'],
      ['Qwen3-14B', true, 0, 'gpqa_diamond'],
      ['v3.2 student', false, 510, 'ifeval'],
      ['v3.2 student', false, 510, 'mmlu_redux'],
      ['v3.2 student', false, 510, 'gpqa_diamond'],
    ]);
    expect(results[3]).toMatchObject({
      scores: [{ value: 0.8983, n: 541 }],
      tokens: { mean: 654.3, median: 398, p95: 1477 },
    });
    expect(results[4]?.scores).toEqual([
      { metric: 'micro', value: 0.8886, n: null, isMacro: false },
      { metric: 'macro', value: 0.8869, n: null, isMacro: true },
    ]);
    expect(results[5]?.scores.map(({ metric, value, n }) => [metric, value, n])).toEqual([
      ['flexible', 0.581, 198],
      ['strict', 0.556, 198],
      ['chemistry', 0.387, 93],
      ['biology', 0.736, null],
      ['physics', 0.756, 86],
    ]);
    expect(results[5]?.invalid).toBe(0);
  });

  it('names the runs that a text tells of where another is asked for', async () => {
    await expect(evaluations('strata-alfworld.txt', 'v9')).rejects.toThrow('expected one of curve, final');
    await expect(evaluations('strata-alfworld.txt')).rejects.toThrow(
      'strata-alfworld.txt tells of 2 runs: name one with --part, expected one of curve, final',
    );
  });
});

describe('a published text that has lost a figure', () => {
  it('is refused by what it does not state', async () => {
    const text = await fileOf('agentgym.txt', 'reproducing the AgentGym-RL framework\nStep 1\nStep 31\n');
    await expect(readSource(text)).rejects.toThrow('agentgym.txt: states no successes at two steps');
  });
});
