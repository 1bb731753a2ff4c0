import { z } from 'zod';
import { CheckpointReferences, type CheckpointReference } from '../checkpoint';
import { evaluationKey, type EvaluationIdentity } from '../evaluation';
import { areDistinct, checkRunSettings, EngineSettings, RUN_SHAPE } from './run-settings';

/** Seeds of an evaluation's sampling. */
export const EvaluationSeeds = z
  .array(z.int().min(0).max(2_147_483_647))
  .min(1)
  .max(100)
  .refine(areDistinct, 'expected each seed once');

/** Every setting of an evaluation of checkpoints that other runs saved. */
export const CheckpointEvaluationConfig = z
  .strictObject({
    ...RUN_SHAPE,
    steps: z.literal(1).describe('Nothing is trained: one step holds the evaluation'),
    engine: EngineSettings,
    checkpoints: CheckpointReferences.describe('Checkpoints of one run, each evaluated alike'),
    seeds: EvaluationSeeds.describe(
      'Seeds of the sampled evaluations; a greedy one draws nothing and is played once, under the first',
    ),
    tasksAtOnce: z
      .int()
      .min(1)
      .max(10_000)
      .describe('Tasks played side by side, and stored together: what a stop loses at most'),
  })
  .superRefine(checkRunSettings)
  .superRefine((config, context) => {
    const { checkpoints, evaluation, probe, rules } = config;
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    checkpoints.forEach(({ runId }, index) => {
      const first = checkpoints[0]?.runId;
      if (runId !== first) refuse(['checkpoints', index, 'runId'], `expected ${first}, the first one’s run`);
    });
    if (evaluation.splits.length === 0) refuse(['evaluation', 'splits'], 'expected a split');
    if (evaluation.decodings.length === 0) refuse(['evaluation', 'decodings'], 'expected greedy or sampled');
    if (evaluation.everySteps !== 0 || evaluation.finalSplits.length > 0)
      refuse(['evaluation'], 'expected everySteps 0 and no finalSplits: splits alone are played');
    if (evaluation.controls)
      refuse(['evaluation', 'controls'], 'expected false: this recipe plays the checkpoints alone');
    if (probe.tasks !== 0) refuse(['probe', 'tasks'], 'expected 0: this recipe plays no probe');
    if (rules !== null)
      refuse(['rules'], 'expected none: rules are looked at after a training step, and nothing is trained');
  });
export type CheckpointEvaluationConfig = z.infer<typeof CheckpointEvaluationConfig>;

/** One evaluation of the run: a checkpoint on a split under one decoding and seed. */
export interface EvaluationUnit extends EvaluationIdentity {
  checkpoint: CheckpointReference;
  seed: number;
  /** `evaluationKey` of its result. */
  key: string;
  /** Tasks of the split that it plays. */
  tasks: number;
}

/** The evaluations that a config asks for, in the order in which they are played. */
export function evaluationUnits({
  checkpoints,
  seeds,
  evaluation,
}: Pick<CheckpointEvaluationConfig, 'checkpoints' | 'seeds'> & {
  evaluation: Pick<CheckpointEvaluationConfig['evaluation'], 'splits' | 'decodings'>;
}): EvaluationUnit[] {
  return checkpoints.flatMap((checkpoint) =>
    evaluation.splits.flatMap(({ split, tasks }) =>
      evaluation.decodings.flatMap((decoding) =>
        (decoding === 'greedy' ? seeds.slice(0, 1) : seeds).map((seed): EvaluationUnit => {
          const identity = { checkpoint, step: checkpoint.step, policy: 'checkpoint' as const, split };
          const unit = { ...identity, decoding, seed };
          return { ...unit, key: evaluationKey(unit), tasks };
        }),
      ),
    ),
  );
}
