import { z } from 'zod';
import { EnvironmentConfig, splitSizesOf, worldOf } from '../environments/registry';
import { ScaffoldConfig, scaffoldMismatch } from '../scaffolds';
import { unstorableTexts } from '../storable-text';
import { SPLITS } from '../trajectory';

const fraction = z.number().min(0).max(1);

const decayRate = z.number().min(0).lt(1);

/** A split and how many tasks of its fixed list are played. */
const SplitSize = z.strictObject({ split: z.enum(SPLITS), tasks: z.int().min(1) });

function areDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function staysInside(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..');
}

const GrpoSettings = z.strictObject({
  seed: z.int().min(0).max(2_147_483_647).describe('Seed of tasks, samples and update order'),
  steps: z.int().min(1).max(100_000).describe('Sample-and-update iterations'),
  engine: z.strictObject({
    kind: z.enum(['onnx', 'tinker']).describe('What holds the weights'),
    model: z
      .string()
      .max(200)
      .regex(/^[\w.\-/]+$/, 'expected a folder name')
      .refine(staysInside, 'expected a folder below the repository: no leading / and no ..')
      .describe('Base model: a Hugging Face folder'),
    children: z
      .int()
      .min(1)
      .max(64)
      .describe('Child processes, one thread each; part of the run’s arithmetic'),
    microBatchTokens: z.int().min(128).max(65_536).describe('Most tokens in one forward-backward pass'),
  }),
  environment: EnvironmentConfig,
  scaffold: ScaffoldConfig,
  rollout: z.strictObject({
    groups: z.int().min(1).max(4096).describe('Tasks a step'),
    groupSize: z.int().min(2).max(512).describe('Samples of each task; they share a baseline'),
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
  }),
  reward: z.strictObject({
    invalidActionPenalty: z
      .number()
      .min(0)
      .max(10)
      .describe('Subtracted for each action the environment refuses'),
  }),
  advantage: z.strictObject({
    scale: z
      .enum(['none', 'std'])
      .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
    dropDegenerateGroups: z.boolean().describe('Leave out groups whose rewards are all equal'),
    permute: z.boolean().describe('Control that must not learn: advantages shuffled over the batch'),
  }),
  update: z.strictObject({
    learningRate: z.number().min(0).max(1).describe('Peak learning rate of AdamW'),
    warmupSteps: z.int().min(0).max(100_000).describe('Steps of linear warm-up'),
    decaySteps: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('Steps over which the rate falls linearly; 0 = constant'),
    finalRateFraction: fraction.describe('Rate at the end of the decay, as a fraction of the peak'),
    epochs: z.int().min(1).max(64).describe('Passes over a step’s data'),
    minibatches: z.int().min(1).max(1024).describe('Optimizer updates a pass'),
    clipLow: fraction.describe('Ratio is clipped below 1 − this'),
    clipHigh: z.number().min(0).max(10).describe('Ratio is clipped above 1 + this'),
    entropyCoef: z.number().min(0).max(1).describe('Weight of the entropy bonus'),
    klCoef: z.number().min(0).max(10).describe('Weight of the k3 KL to the base model, in the loss'),
    aggregation: z
      .enum(['token-mean', 'seq-mean-token-mean'])
      .describe('token-mean: over all reply tokens. seq-mean-token-mean: over each sequence first'),
    beta1: decayRate.describe('AdamW beta 1'),
    beta2: decayRate.describe('AdamW beta 2'),
    eps: z.number().positive().max(1).describe('AdamW epsilon'),
    weightDecay: z.number().min(0).max(10).describe('Decoupled weight decay'),
    gradClipNorm: z.number().min(0).max(1e6).describe('Global-norm clip; 0 = off'),
  }),
  evaluation: z.strictObject({
    everySteps: z.int().min(0).max(100_000).describe('Evaluate every so many steps; 0 = never'),
    splits: z
      .array(SplitSize)
      .max(8)
      .refine((sizes) => areDistinct(sizes.map(({ split }) => split)), 'expected each split once')
      .describe('Splits and the number of tasks of each'),
    finalSplits: z
      .array(SplitSize)
      .max(8)
      .refine((sizes) => areDistinct(sizes.map(({ split }) => split)), 'expected each split once')
      .describe('The same, at step 0 and at the last step'),
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
  }),
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
  recording: z.strictObject({
    trainGroups: z.int().min(0).max(4096).describe('Groups of each step whose trajectories are kept'),
  }),
});

/** Every setting of a GRPO run. Descriptions are the form's texts. */
export const GrpoConfig = GrpoSettings.superRefine((config, context) => {
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
  const mismatch = scaffoldMismatch(config.scaffold, worldOf(config.environment));
  if (mismatch) {
    const { path, message } = mismatch;
    context.addIssue({ code: 'custom', path: ['scaffold', path], message });
  }
  for (const { path, message } of unstorableTexts(config))
    context.addIssue({ code: 'custom', path, message });
});
export type GrpoConfig = z.infer<typeof GrpoConfig>;
