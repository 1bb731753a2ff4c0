import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationMetric, type EvaluationResult } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '../engines/engine';
import { localContext } from '../run/local-context';

const demo = GRPO_PRESETS.demo;

/** The demo's recipe for ten steps, judged greedily on 140 held-out tasks before and after. */
const config: GrpoConfig = {
  ...demo,
  seed: 11,
  steps: 10,
  evaluation: {
    ...demo.evaluation,
    everySteps: 10,
    splits: [{ split: 'valid_seen', tasks: 140 }],
    finalSplits: [{ split: 'valid_seen', tasks: 140 }],
    decodings: ['greedy'],
    controls: false,
  },
  probe: { tasks: 0, samples: 1 },
  recording: { trainGroups: 0 },
};

describe('GRPO from the shipped base', () => {
  let dir = '';
  beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'stepscope-learning-'))));
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('solves at least 65 % of held-out tasks greedily after ten steps, with at most 20 % invalid actions', async () => {
    const evaluations: EvaluationResult[] = [];
    const engine = await createEngine(config.engine);
    try {
      const events = trainGrpo(
        config,
        localContext(engine, (step) => join(dir, `step-${step}`)),
      );
      for await (const event of events)
        if (event.kind === 'evaluation:finished') evaluations.push(event.evaluation);
    } finally {
      await engine.close();
    }
    const [before, after] = evaluations;
    if (!before || !after) throw new Error(`expected two evaluations, got ${evaluations.length}`);
    expect([before.step, after.step]).toEqual([0, 10]);
    expect(after.n).toBe(140);
    expect(evaluationMetric(after, 'success_rate')).toBeGreaterThanOrEqual(0.65);
    expect(evaluationMetric(after, 'invalid_action_rate')).toBeLessThanOrEqual(0.2);
    expect(after.successes).toBeGreaterThan(before.successes);
  });
});
