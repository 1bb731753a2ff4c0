import { describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { RunRules } from '@/contract/recipes/run-rules';
import type { RunSetup } from './setup';
import { playedEpisode } from './testing/played';
import { trainingLoop } from './training-loop';

/** Steps in which every group has equal rewards from `collapse` on; what the loop says of them. */
async function run(rules: RunRules | null, collapse: number, steps = 6): Promise<string[]> {
  const sampler = {
    counts: () => ({ prompt: 0, prefilled: 0, reused: 0, sampled: 0 }),
    times: () => ({ prefillS: 0, decodeS: 0 }),
  };
  const training = {
    saveWeightsForSampler: () => Promise.resolve(sampler),
    saveState: () => Promise.resolve(),
  };
  const { verify } = GRPO_PRESETS;
  const config = {
    ...verify,
    steps,
    rules,
    evaluation: { ...verify.evaluation, everySteps: 0 },
    checkpoint: { everySteps: 4 },
  };
  const context = {
    engine: { training, base: sampler },
    checkpointDir: (step: number) => `step-${step}`,
    resumeFrom: null,
    clock: () => 0,
    signal: new AbortController().signal,
  };
  // Without evaluations the loop itself needs neither environment nor scaffold, and of an engine only this.
  const setup = { config, context } as unknown as RunSetup;
  const said: string[] = [];
  const { trajectory } = playedEpisode({}, [{}]);
  const events = trainingLoop(setup, async function* (_sampler, step) {
    yield { kind: 'progress:advanced', step, activity: 'rollout', done: 0, of: 1 };
    const degenerate = step < collapse ? 0.5 : 1;
    const metrics = { 'tokens/trained': 1, 'advantage/degenerate_group_rate': degenerate };
    return await Promise.resolve({ trajectories: [trajectory], recorded: [], metrics });
  });
  for await (const event of events) {
    if (event.kind === 'step:finished') said.push(`step ${event.step}`);
    if (event.kind === 'checkpoint:written') said.push(`checkpoint ${event.step}`);
    if (event.kind === 'rule:fired') said.push(event.action);
  }
  return said;
}

const rules = RunRules.parse({ noLearningSignal: 'stop', noLearningSignalSteps: 2 });

describe('the loop around a recipe’s step', () => {
  it('ends at the step at which a rule fires, its checkpoint saved first', async () => {
    expect(await run(rules, 2)).toEqual(['step 1', 'step 2', 'step 3', 'checkpoint 3', 'stop']);
    expect(await run({ ...rules, noLearningSignal: 'pause' }, 2)).toContain('pause');
  });

  it('goes to its last step where none fires, and where there are none', async () => {
    const whole = [
      'step 1',
      'step 2',
      'step 3',
      'step 4',
      'checkpoint 4',
      'step 5',
      'step 6',
      'checkpoint 6',
    ];
    expect(await run(rules, 6)).toEqual(whole);
    expect(await run(null, 2)).toEqual(whole);
  });

  it('finishes where a rule would fire at its last step', async () => {
    expect(await run(rules, 2, 3)).toEqual(['step 1', 'step 2', 'step 3', 'checkpoint 3']);
  });
});
