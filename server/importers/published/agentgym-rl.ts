import type { PublishedDocument } from './document';
import { statedEvaluation } from '../stated-evaluation';

const STEPS =
  /Step (\d+)\s+Step (\d+)\s+Avg reward\s+([\d.]+)\s+([\d.]+)\s+Success rate\s+(\d+)\/(\d+)\s+(\d+)\/(\d+)/;

/** Qwen2.5-1.5B, GRPO on BabyAI: one batch of episodes at step 1 and at step 31. */
export const agentgymRl: PublishedDocument = {
  mark: /reproducing the AgentGym-RL framework/,
  parts: ['run'],
  *read(text, _part, { facts }) {
    const [earlier, later, rewardBefore, rewardAfter, k1, n1, k2, n2] = text.find(
      STEPS,
      'successes at two steps',
    );
    const [model] = text.find(/Base model\s+(\S+)/, 'base model');
    const [algorithm] = text.find(/Algorithm\s+([^\n]+)/, 'algorithm');
    const [hardware] = text.find(/Hardware\s+([^\n]+)/, 'hardware');
    Object.assign(facts, { engine: { model }, environment: { id: 'babyai' }, algorithm, hardware });
    for (const [step, reward, k, n] of [
      [earlier, rewardBefore, k1, n1],
      [later, rewardAfter, k2, n2],
    ]) {
      const rewardMean = Number(reward);
      const at = Number(step);
      yield { kind: 'points:measured', step: at, points: [{ name: 'reward/mean', value: rewardMean }] };
      yield {
        kind: 'evaluation:finished',
        evaluation: statedEvaluation({
          step: at,
          split: 'train',
          environment: 'babyai',
          n: Number(n),
          successes: Number(k),
          rewardMean,
        }),
      };
    }
  },
};
