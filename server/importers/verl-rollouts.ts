import { createHash } from 'node:crypto';
import { z } from 'zod';
import { conversationTrajectory } from './conversation';
import {
  damaged,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
  type SourceFile,
} from './importer';
import { jsonLinesOf } from './lines';
import { statedWhole } from './stated-whole';

/** One that a reward function failed to compute is none; numbers that JSON has not are read as these texts. */
const Reward = z
  .union([z.number(), z.literal([Infinity, -Infinity]), z.enum(['NaN', 'Infinity', '-Infinity'])])
  .nullish();

const Sample = z.looseObject({
  input: z.string(),
  output: z.string(),
  score: Reward,
  reward: Reward,
  step: z.number().nullish(),
  request_id: z.string().nullish(),
});
type Sample = z.infer<typeof Sample>;

/** Keys by which a reward function may have said whether a sample was right. */
const SUCCESS_KEYS = ['success', 'won', 'acc', 'is_success'];
const STEP_FILE = /(?:^|\/)(\d+)\.jsonl$/;

/** verl's `rollout_data_dir` and `validation_data_dir`: `12.jsonl` a step, a sample a line. */
export const verlRollouts: Importer = {
  format: 'verl-rollouts',
  recognises: ({ files }, head) =>
    files.every(({ name }) => STEP_FILE.test(name)) &&
    /^\s*\{/.test(head) &&
    head.includes('"input"') &&
    head.includes('"output"'),
  read: readRollouts,
};

async function* readRollouts(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  for (const file of source.files) yield* readStep(file, context);
}

async function* readStep(file: SourceFile, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const groups = new Map<string, { group: number; samples: number }>();
  const cut = (line: number) => context.skip({ file: file.name, line, reason: 'the last line is cut off' });
  let unjudged = 0;
  let unscored = 0;
  for await (const { line, value } of jsonLinesOf(file, cut)) {
    const parsed = Sample.safeParse(value);
    if (!parsed.success) throw damaged(file.name, line, sampleWords(parsed.error, value));
    const sample = parsed.data;
    const success = successOf(sample);
    const reward = finite(sample.score) ?? finite(sample.reward);
    if (success === null) unjudged++;
    if (reward === null) unscored++;
    const taskId = createHash('sha256').update(sample.input).digest('hex').slice(0, 16);
    const group = groups.get(taskId) ?? { group: groups.size, samples: 0 };
    groups.set(taskId, { ...group, samples: group.samples + 1 });
    const trajectory = conversationTrajectory(
      [
        { by: 'environment', text: sample.input },
        { by: 'agent', text: sample.output },
      ],
      {
        taskId,
        taskType: 'verl',
        reward,
        success,
        actions: 'last-action',
        stopReason: success === null ? 'not_stated' : success ? 'success' : 'failure',
      },
      { step: stepOf(file.name, line, sample), phase: 'train', split: 'train' },
    );
    const flags = [
      ...trajectory.flags,
      ...(success === null ? ['success_not_stated'] : []),
      ...(reward === null ? ['reward_not_stated'] : []),
    ];
    const placed = { ...trajectory, flags, group: group.group, sample: group.samples };
    yield { file: file.name, line, at: null, event: { kind: 'trajectory:finished', trajectory: placed } };
  }
  if (unscored > 0)
    context.skip({
      file: file.name,
      line: null,
      reason: `${unscored} samples state neither score nor reward as a finite number: they are in no mean, and bear the flag reward_not_stated`,
    });
  if (unjudged > 0)
    context.skip({
      file: file.name,
      line: null,
      reason: `${unjudged} samples state none of ${SUCCESS_KEYS.join(', ')} as a finite number or a truth value: whether they succeeded is not known, they are in no rate, and bear the flag success_not_stated`,
    });
}

function stepOf(file: string, line: number, { step }: Sample): number {
  return statedWhole(file, line, 'step', step ?? STEP_FILE.exec(file)?.[1] ?? 0);
}

/** `score: expected a number, got "0.5"`, and what a sample is. */
function sampleWords(error: z.ZodError, value: unknown): string {
  const field = String(error.issues[0]?.path[0] ?? 'sample');
  const got = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : value;
  return `${field}: got ${JSON.stringify(got)?.slice(0, 80) ?? 'nothing'}, expected {"input": text, "output": text, "score": number, "step": number}`;
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Null where the sample does not say. */
function successOf(sample: Sample): boolean | null {
  const value = SUCCESS_KEYS.map((key) => sample[key]).find(
    (each) => typeof each === 'boolean' || finite(each) !== null,
  );
  return value === undefined ? null : Number(value) >= 1;
}
