import { z } from 'zod';
import { TokenPrices } from '../cost';
import type { Engine } from '../engine';
import { EnvironmentConfig, splitSizesOf, worldOf } from '../environments/registry';
import { LoraSettings } from '../lora';
import { ScaffoldConfig, scaffoldMismatch } from '../scaffolds';
import { unstorableTexts } from '../storable-text';
import { RunRules } from './run-rules';
import { SPLITS } from '../trajectory';

/** A split and how many tasks of its fixed list are played. */
const SplitSize = z.strictObject({ split: z.enum(SPLITS), tasks: z.int().min(1) });

const SplitSizes = z
  .array(SplitSize)
  .max(8)
  .refine((sizes) => areDistinct(sizes.map(({ split }) => split)), 'expected each split once');

/** Whether each value is there once. */
export function areDistinct(values: readonly (string | number)[]): boolean {
  return new Set(values).size === values.length;
}

function staysInside(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..');
}

/** A Hugging Face folder below the repository. */
export const ModelFolder = z
  .string()
  .max(200)
  .regex(/^[\w.\-/]+$/, 'expected a folder name')
  .refine(staysInside, 'expected a folder below the repository: no leading / and no ..');

export const EngineSettings = z.strictObject({
  kind: z.enum(['onnx', 'tinker']).describe('What holds the weights'),
  model: ModelFolder.describe('Base model: a Hugging Face folder'),
  children: z.int().min(1).max(64).describe('Child processes, one thread each; part of the run’s arithmetic'),
  microBatchTokens: z.int().min(128).max(65_536).describe('Most tokens in one forward-backward pass'),
  prefixCacheMb: z
    .int()
    .min(0)
    .max(65_536)
    .optional()
    .describe(
      'Memory of a child process for the keys and values of earlier turns, in MB; none = 256. Part of the run’s arithmetic',
    ),
  thinking: z
    .enum(['on', 'off'])
    .optional()
    .describe('enable_thinking of the model’s chat template; none = what the template does by itself'),
  // Runs that were stored before the setting was there trained all parameters, or what their server had by default.
  lora: LoraSettings.nullable()
    .default(null)
    .describe('LoRA adapters; none = all parameters, or what a server trains by default'),
});

/** How replies are sampled. */
export const ROLLOUT_SHAPE = {
  temperature: z.number().min(0.01).max(5).describe('Sampling temperature'),
  maxReplyTokens: z.int().min(1).max(4096).describe('Longest reply of a turn, in tokens'),
  maxPromptTokens: z
    .int()
    .min(16)
    .max(1_000_000)
    // Runs that were stored before the setting was there read as if it never bound them.
    .default(1_000_000)
    .describe(
      'Longest prompt of a turn, in tokens; an episode that would need more, or more than the model has room for, ends',
    ),
  maxTrajectoryTokens: z
    .int()
    .min(17)
    .max(1_000_000)
    .optional()
    .describe(
      'Longest prompt with its reply, in tokens: a reply gets what its prompt leaves, an episode whose prompt leaves nothing ends; none = prompt and reply have their own bounds alone',
    ),
};

export const EvaluationSettings = z.strictObject({
  everySteps: z.int().min(0).max(100_000).describe('Evaluate every so many steps; 0 = never'),
  splits: SplitSizes.describe('Splits and the number of tasks of each'),
  finalSplits: SplitSizes.describe('The same, at step 0 and at the last step'),
  decodings: z
    .array(z.enum(['greedy', 'sampled']))
    .max(2)
    .refine(areDistinct, 'expected each decoding once')
    .describe('greedy, sampled or both'),
  temperature: z.number().min(0.01).max(5).default(1).describe('Temperature of the sampled decoding'),
  topK: z.int().min(0).max(1_000_000).default(0).describe('Only the k likeliest tokens; 0 = all'),
  topP: z
    .number()
    .positive()
    .max(1)
    .default(1)
    .describe('Of those, the fewest whose probabilities reach p; 1 = all'),
  controls: z.boolean().describe('Measure the controls on the same tasks, once'),
});

/** What every recipe has, whatever it learns from. */
export const RUN_SHAPE = {
  seed: z.int().min(0).max(2_147_483_647).describe('Seed of tasks, samples and update order'),
  steps: z.int().min(1).max(100_000).describe('Sample-and-update iterations'),
  engine: EngineSettings,
  environment: EnvironmentConfig,
  scaffold: ScaffoldConfig,
  rollout: z.object(ROLLOUT_SHAPE),
  evaluation: EvaluationSettings,
  probe: z.strictObject({
    tasks: z
      .int()
      .min(0)
      .max(10_000)
      .describe('Tasks of valid_seen played at each evaluation for step-by-step pairs'),
    samples: z.int().min(1).max(64).describe('Samples of each probe task, beside the greedy one'),
  }),
  checkpoint: z.strictObject({
    everySteps: z.int().min(1).max(100_000).describe('Save a resumable checkpoint every so many steps'),
  }),
  cost: TokenPrices.nullable()
    .default(null)
    .describe('Prices of tokens, for the cost of the run; none = tokens are counted and not priced'),
  rules: RunRules.nullable()
    .default(null)
    .describe('What pauses or stops the run by itself; none = it goes on to its last step'),
};

/** The settings that every run's config has beside its recipe's own; recipes that play groups say of what size. */
export type RunSettings = Omit<z.infer<z.ZodObject<typeof RUN_SHAPE>>, 'engine'> & {
  engine: Omit<z.infer<typeof EngineSettings>, 'kind'> & { kind: Engine['kind'] };
  rollout: { groups?: number; groupSize?: number };
  recording?: { trainGroups: number };
};

/** What single settings cannot tell: that each split is long enough, and that the scaffold suits the environment. */
export function checkRunSettings(config: RunSettings, context: z.RefinementCtx): void {
  const sizes = splitSizesOf(config.environment);
  const asked = [
    ...(['splits', 'finalSplits'] as const).flatMap((list) =>
      config.evaluation[list].map(({ split, tasks }, index) => ({
        path: ['evaluation', list, index, 'tasks'],
        split,
        tasks,
      })),
    ),
    { path: ['probe', 'tasks'], split: 'valid_seen' as const, tasks: config.probe.tasks },
  ];
  for (const { path, split, tasks } of asked)
    if (tasks > sizes[split])
      context.addIssue({
        code: 'custom',
        path,
        message: `${split} of ${config.environment.id} has ${sizes[split]} tasks, asked for ${tasks}`,
      });
  if (config.rules?.costBudget && !config.cost)
    context.addIssue({
      code: 'custom',
      path: ['rules', 'costBudget'],
      message: 'expected prices of tokens beside it: without them a run has no cost',
    });
  const mismatch = scaffoldMismatch(config.scaffold, worldOf(config.environment));
  if (mismatch) {
    const { path, message } = mismatch;
    context.addIssue({ code: 'custom', path: ['scaffold', path], message });
  }
  for (const { path, message } of unstorableTexts(config))
    context.addIssue({ code: 'custom', path, message });
}

/** A budget adds up the costs of all models that a run asks: those of another one, at `path`, have to be in the run's currency. */
export function checkBudgetCurrency(
  { cost, rules }: Pick<RunSettings, 'cost' | 'rules'>,
  { prices, path }: { prices: Pick<TokenPrices, 'currency'> | null; path: string[] },
  context: z.RefinementCtx,
): void {
  if (rules?.costBudget && cost && prices && prices.currency !== cost.currency)
    context.addIssue({
      code: 'custom',
      path: [...path, 'currency'],
      message: `expected ${cost.currency}, in which rules.costBudget is counted, got ${prices.currency}`,
    });
}
