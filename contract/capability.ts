import { z } from 'zod';
import { CheckpointReference } from './checkpoint';

/** A fraction of a benchmark's questions. */
const CapabilityScore = z.object({
  /** The benchmark's own word: `prompt_level_strict_acc`, `flexible`, `micro`, or a subject. */
  metric: z.string().min(1).max(100),
  value: z.number().min(0).max(1),
  /** Questions; null where the source does not state them. */
  n: z.int().positive().nullable(),
  /** A mean over subjects rather than over questions: no count stands behind it. */
  isMacro: z.boolean().default(false),
});
export type CapabilityScore = z.infer<typeof CapabilityScore>;

/** What a model scored on one benchmark of general capability: what training for an environment may cost. */
export const CapabilityResult = z.object({
  /** Checkpoint of another run that was measured; null = the run's own of `step`. */
  checkpoint: CheckpointReference.nullable().default(null),
  step: z.int().nonnegative(),
  /** As the source names it. */
  model: z.string().min(1).max(300),
  /** The model that the others are read against. */
  isBase: z.boolean(),
  /** `ifeval`, `mmlu_redux`, `gpqa_diamond`, or the harness's name of a task. */
  benchmark: z.string().min(1).max(200),
  scores: z.array(CapabilityScore).min(1).max(500),
  /** Replies from which no answer could be read; null where they were not counted. */
  invalid: z.int().nonnegative().nullable(),
  /** Tokens of a reply; null where they were not counted. */
  tokens: z.object({ mean: z.number(), median: z.number(), p95: z.number() }).nullable(),
});
export type CapabilityResult = z.infer<typeof CapabilityResult>;

const BENCHMARK_TITLES: Record<string, string> = {
  ifeval: 'IFEval',
  mmlu_redux: 'MMLU-Redux',
  gpqa_diamond: 'GPQA-Diamond',
};

export function benchmarkTitle(benchmark: string): string {
  return BENCHMARK_TITLES[benchmark] ?? benchmark;
}

/** `GET /runs/:runId/capabilities`: a result with the run that states it. */
export interface CapabilityRow {
  id: number;
  /** The run that was imported; its own checkpoints, or those of the run that was asked for. */
  runId: string;
  runName: string;
  result: CapabilityResult;
}
