/** Models that score what another one writes. */
import { z } from 'zod';
import { ModelFolder } from './recipes/run-settings';

/** Where a teacher comes from. Descriptions are the form's texts. */
export const TeacherSettings = z.strictObject({
  kind: z
    .enum(['onnx', 'tinker'])
    .describe('What holds its weights: the embedded engine, or the worker’s server of the Tinker protocol'),
  model: ModelFolder.describe(
    'The teacher: a Hugging Face folder, such as a model or a checkpoint of a finished run. Its vocabulary is the student’s',
  ),
  children: z.int().min(1).max(64).describe('Child processes, one thread each'),
});
export type TeacherSettings = z.infer<typeof TeacherSettings>;

/** What a teacher goes on with. */
export interface ContinuationRequest {
  /** Ids of a prompt and of the beginning of a reply to it. */
  tokens: readonly number[];
  maxTokens: number;
  temperature: number;
  seed: number;
}

/** A model that scores the tokens of another one, whose vocabulary it shares. */
export interface Teacher {
  /** As logs call it. */
  readonly name: string;
  /** Log-probability of each token given those before it; the first is NaN. */
  computeLogprobs(tokens: number[]): Promise<number[]>;
  /** What it writes after some tokens, as text without what ends it. */
  continueText(request: ContinuationRequest): Promise<string>;
  close(): Promise<void>;
}
