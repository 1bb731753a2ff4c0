import { z } from 'zod';

const RuleAction = z.enum(['off', 'pause', 'stop']);

/** What a run does by itself when something goes wrong with it or a budget is spent: `docs/detectors.md`. */
export const RunRules = z.strictObject({
  formatCollapse: RuleAction.default('pause').describe(
    'Replies cease to keep the format. pause: the run waits for a person, its checkpoint saved. stop: it ends',
  ),
  logprobCollapse: RuleAction.default('pause').describe(
    'The sampler’s log-probability of what it samples falls within 5 steps',
  ),
  noLearningSignal: RuleAction.default('pause').describe(
    'No group has rewards that differ, or nothing is trained on, for some steps in a row',
  ),
  noLearningSignalSteps: z.int().min(1).max(10_000).default(5).describe('How many steps in a row'),
  entropyCollapse: RuleAction.default('off').describe(
    'Entropy is below a tenth of what it was at the start and still falls',
  ),
  tokenBudget: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .default(null)
    .describe(
      'Tokens prefilled, sampled and trained, evaluations, probes and a judge’s among them; none = no bound',
    ),
  costBudget: z
    .number()
    .positive()
    .max(1e9)
    .nullable()
    .default(null)
    .describe('Cost at the run’s prices and a judge’s, in one currency; none = no bound'),
  minuteBudget: z
    .number()
    .positive()
    .max(1e6)
    .nullable()
    .default(null)
    .describe('Minutes of rollout, update and evaluation; by the clock, so not repeatable; none = no bound'),
  budgetSpent: z
    .enum(['pause', 'stop'])
    .default('stop')
    .describe('What the run does once one of the three budgets is spent'),
});
export type RunRules = z.infer<typeof RunRules>;
