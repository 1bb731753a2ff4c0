/** Models that score what another one writes. */
import { z } from 'zod';
import { EndpointPrices, EndpointSettings, type OutageNotice } from './endpoint';
import type { TokenCounts } from './engine';
import { ModelFolder } from './recipes/run-settings';

/** Where a teacher comes from. Descriptions are the form's texts. */
export const TeacherSettings = z.strictObject({
  kind: z
    .enum(['onnx', 'tinker', 'endpoint'])
    .describe(
      'What holds its weights: the embedded engine, the worker’s server of the Tinker protocol, or an endpoint that scores prompts',
    ),
  model: ModelFolder.describe(
    'The teacher: a Hugging Face folder, such as a model or a checkpoint of a finished run. Its vocabulary is the student’s. Not read where kind is endpoint',
  ),
  children: z.int().min(1).max(64).describe('Child processes of the embedded engine, one thread each'),
  endpoint: EndpointSettings.nullable()
    .default(null)
    .describe('The endpoint, where kind is endpoint; its completions route takes token ids'),
  scoring: z
    .enum(['prompt_logprobs', 'echo'])
    .default('prompt_logprobs')
    .describe(
      'How the endpoint is asked for the log-probabilities of given tokens: vLLM’s prompt_logprobs, or OpenAI’s echo with logprobs',
    ),
  prices: EndpointPrices.nullable()
    .default(null)
    .describe(
      'What an engine of the teacher’s own charges; none = its tokens are counted and not priced. An endpoint has prices of its own',
    ),
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

/** A model that scores the tokens of another one, whose vocabulary it shares. Where it is away it is asked until it answers. */
export interface Teacher extends OutageNotice {
  /** As logs call it. */
  readonly name: string;
  /** What it charges; null where its tokens are counted and not priced. */
  readonly prices: EndpointPrices | null;
  /** Opens it and compares vocabularies, before anything is asked. Throws `invalid_input` where they differ. */
  prepare(): Promise<void>;
  /** Log-probability of each token given those before it; the first is NaN. */
  computeLogprobs(tokens: number[]): Promise<number[]>;
  /** What it writes after some tokens, as text without what ends it. */
  continueText(request: ContinuationRequest): Promise<string>;
  /** Tokens since it was opened; NaN where it does not say. */
  counts(): TokenCounts;
  close(): Promise<void>;
}
