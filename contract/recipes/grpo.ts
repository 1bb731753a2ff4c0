import { z } from 'zod';
import { BABYAI_DEFAULTS } from '../environments/babyai';
import { BABYAI_TEXT_DEFAULTS } from '../environments/babyai-text';
import { HOUSEHOLD_DEFAULTS } from '../environments/household';
import { EnvironmentConfig, splitSizesOf } from '../environments/registry';
import { ScaffoldConfig, scaffoldMismatch } from '../scaffolds';
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
  const mismatch = scaffoldMismatch(config.scaffold, config.environment.id);
  if (mismatch) {
    const { path, message } = mismatch;
    context.addIssue({ code: 'custom', path: ['scaffold', path], message });
  }
});
export type GrpoConfig = z.infer<typeof GrpoConfig>;

const demo: GrpoConfig = {
  seed: 1,
  steps: 160,
  engine: { kind: 'onnx', model: 'models/babyai-tiny', children: 2, microBatchTokens: 2048 },
  environment: BABYAI_DEFAULTS,
  scaffold: { id: 'recent-actions', recentActions: 4 },
  rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 16, maxPromptTokens: 2048 },
  reward: { invalidActionPenalty: 0.1 },
  advantage: { scale: 'none', dropDegenerateGroups: true, permute: false },
  update: {
    learningRate: 1.5e-4,
    warmupSteps: 5,
    decaySteps: 160,
    finalRateFraction: 0.1,
    epochs: 1,
    minibatches: 2,
    clipLow: 0.2,
    clipHigh: 0.28,
    entropyCoef: 0,
    klCoef: 0,
    aggregation: 'token-mean',
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weightDecay: 0,
    gradClipNorm: 1,
  },
  evaluation: {
    everySteps: 10,
    splits: [{ split: 'valid_seen', tasks: 210 }],
    finalSplits: [
      { split: 'valid_seen', tasks: 420 },
      { split: 'valid_unseen', tasks: 120 },
    ],
    decodings: ['greedy', 'sampled'],
    temperature: 1,
    topK: 0,
    topP: 1,
    controls: true,
  },
  probe: { tasks: 7, samples: 8 },
  checkpoint: { everySteps: 10 },
  recording: { trainGroups: 4 },
};

/** Named values of the recipe. `published` is AgentGym-RL's; see `docs/recipes/grpo.md`. */
export const GRPO_PRESETS = {
  demo,
  /** The household from `models/household-tiny`: what two cores learn in 20 minutes. */
  small: {
    ...demo,
    steps: 80,
    engine: { ...demo.engine, model: 'models/household-tiny' },
    environment: HOUSEHOLD_DEFAULTS,
    scaffold: { id: 'recent-actions', recentActions: 16 },
    rollout: { ...demo.rollout, groups: 12 },
    update: { ...demo.update, decaySteps: 80 },
    evaluation: {
      ...demo.evaluation,
      everySteps: 20,
      splits: [{ split: 'valid_seen', tasks: 120 }],
      finalSplits: [
        { split: 'valid_seen', tasks: 240 },
        { split: 'valid_unseen', tasks: 240 },
      ],
    },
    probe: { tasks: 6, samples: 8 },
  },
  /** One update on one task, ten turns: does it run at all, and what does a step cost. */
  verify: {
    ...demo,
    steps: 1,
    rollout: { ...demo.rollout, groups: 1 },
    update: { ...demo.update, minibatches: 1 },
    evaluation: {
      ...demo.evaluation,
      everySteps: 1,
      splits: [{ split: 'valid_seen', tasks: 14 }],
      finalSplits: [
        { split: 'valid_seen', tasks: 14 },
        { split: 'valid_unseen', tasks: 6 },
      ],
    },
    probe: { tasks: 2, samples: 2 },
    checkpoint: { everySteps: 1 },
  },
  published: {
    ...demo,
    steps: 31,
    engine: { kind: 'tinker', model: 'Qwen/Qwen2.5-1.5B-Instruct', children: 1, microBatchTokens: 8192 },
    environment: { ...BABYAI_DEFAULTS, maxTurns: 20, compat: 'agentgym' },
    scaffold: { id: 'react', rules: 'babyai', parser: 'one-action', actionList: 'every-turn' },
    rollout: { groups: 1, groupSize: 4, temperature: 1, maxReplyTokens: 200, maxPromptTokens: 5120 },
    reward: { invalidActionPenalty: 0 },
    advantage: { scale: 'std', dropDegenerateGroups: false, permute: false },
    update: {
      ...demo.update,
      learningRate: 1e-6,
      warmupSteps: 0,
      decaySteps: 0,
      minibatches: 1,
      clipLow: 0.2,
      clipHigh: 0.2,
      entropyCoef: 0.001,
      klCoef: 0.001,
      aggregation: 'seq-mean-token-mean',
      beta2: 0.999,
      weightDecay: 0.01,
    },
    evaluation: { ...demo.evaluation, controls: false },
    checkpoint: { everySteps: 25 },
    recording: { trainGroups: 1 },
  },
  /**
   * The BabyAI-Text line's first runs: groups of 8, tool calls, 50 tasks to be judged on. Learning rate, clip and batch
   * are not published; they stand as verl's defaults.
   */
  'babyai-text-50': {
    ...demo,
    steps: 60,
    engine: { kind: 'tinker', model: 'Qwen/Qwen3-14B', children: 1, microBatchTokens: 16_384 },
    environment: { ...BABYAI_TEXT_DEFAULTS, maxTurns: 20, validSeen: 'babyai-text-50' },
    scaffold: { id: 'tool-call' },
    rollout: { groups: 16, groupSize: 8, temperature: 1, maxReplyTokens: 4096, maxPromptTokens: 32_768 },
    reward: { invalidActionPenalty: 0 },
    advantage: { scale: 'std', dropDegenerateGroups: false, permute: false },
    update: {
      ...demo.update,
      learningRate: 1e-6,
      warmupSteps: 0,
      decaySteps: 0,
      minibatches: 1,
      clipLow: 0.2,
      clipHigh: 0.2,
      beta2: 0.999,
      weightDecay: 0.01,
    },
    evaluation: {
      ...demo.evaluation,
      everySteps: 10,
      splits: [{ split: 'valid_seen', tasks: 50 }],
      finalSplits: [{ split: 'valid_seen', tasks: 50 }],
      decodings: ['sampled'],
      controls: false,
    },
    probe: { tasks: 6, samples: 2 },
  },
} satisfies Record<string, GrpoConfig>;
