import { z } from 'zod';
import { lookupText } from './bounds';
import { CheckpointReference } from './checkpoint';
import type { EvaluationMetric, EvaluationResult } from './evaluation';
import type { RunKind } from './run';
import type { StopReason } from './trajectory';

/** Most checkpoints side by side. */
export const MAX_COMPARED = 12;
/** Most trajectories that one comparison reads. */
export const MAX_COMPARED_TRAJECTORIES = 40_000;

/** `r-0003@40`: a checkpoint as addresses and queries name it. */
export function checkpointName({ runId, step }: CheckpointReference): string {
  return `${runId}@${step}`;
}

/** The checkpoint that a name means; null where it is none. A run's id may hold an `@` of its own. */
export function parseCheckpointName(name: string): CheckpointReference | null {
  const at = name.lastIndexOf('@');
  const step = name.slice(at + 1);
  if (at < 1 || !/^\d{1,10}$/.test(step)) return null;
  const parsed = CheckpointReference.safeParse({ runId: name.slice(0, at), step: Number(step) });
  return parsed.success ? parsed.data : null;
}

const CheckpointName = lookupText(120).transform((name, context) => {
  const reference = parseCheckpointName(name);
  if (reference) return reference;
  context.addIssue({ code: 'custom', message: `expected RUN@STEP, got ${name}` });
  return z.NEVER;
});

/** `GET /compare?c=r-0003@0&c=r-0003@40`. */
export const ComparisonQuery = z.object({
  c: z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(CheckpointName).min(1).max(MAX_COMPARED),
  ),
});
export type ComparisonQuery = z.infer<typeof ComparisonQuery>;

/** Every evaluation of the asked checkpoints, in the order asked, with what their trajectories came to. */
export interface Comparison {
  checkpoints: ComparedCheckpoint[];
  /** Tasks of the trajectories, each once. */
  tasks: ComparedTask[];
}

export interface ComparedTask {
  taskId: string;
  taskType: string;
  goal: string;
}

export interface ComparedCheckpoint extends CheckpointReference {
  runName: string;
  kind: RunKind;
  recipe: string;
  /** Of the training; null where it is not known. */
  seed: number | null;
  /** Hash of the run's config without its seed: runs of the same hash differ by their seed alone. */
  configHash: string;
  evaluations: ComparedEvaluation[];
}

export interface ComparedEvaluation {
  /** Run that made it: the checkpoint's own, or one that was requested. */
  runId: string;
  evaluation: EvaluationResult;
  /** Why figures of it were marked as saying nothing, in words that stand in their place. */
  hidden: Partial<Record<EvaluationMetric, string>>;
  /** Empty where the source states counts alone. */
  trajectories: ComparedTrajectory[];
}

/** What a comparison reads of a trajectory. */
export interface ComparedTrajectory {
  id: string;
  taskId: string;
  success: boolean;
  turns: number;
  invalidActions: number;
  /** Null where the source does not state them. */
  replyTokens: number | null;
  stopReason: StopReason;
}

/** `GET /compare/checkpoints?text=`: checkpoints that can be compared, of the newest runs that match. */
export const ComparableQuery = z.object({ text: lookupText(200).default('') });
export type ComparableQuery = z.infer<typeof ComparableQuery>;

export interface ComparableRun {
  runId: string;
  runName: string;
  kind: RunKind;
  /** Evaluated steps, ascending, each with the splits it was evaluated on. */
  steps: { step: number; splits: EvaluationResult['split'][] }[];
}
