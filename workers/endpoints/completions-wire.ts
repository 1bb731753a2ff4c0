/** Completions of token ids, and log-probabilities of prompts, as vLLM, SGLang and OpenAI write them. */
import { z } from 'zod';
import type { ChatReply } from '@/contract/endpoint';
import { AppError } from '@/contract/errors';
import type { TeacherSettings } from '@/contract/teacher';
import { billedOf, MOST_SEED, Usage } from './chat-wire';

/** By id, as vLLM writes `prompt_logprobs`: the prompt's own token and the likeliest ones. */
const LogprobsById = z.record(
  z.string(),
  z.object({ logprob: z.number(), decoded_token: z.string().nullish() }),
);

const Choice = z.object({
  text: z.string(),
  prompt_logprobs: z.array(LogprobsById.nullable()).nullish(),
  logprobs: z
    .object({ tokens: z.array(z.string()), token_logprobs: z.array(z.number().nullable()) })
    .nullish(),
});

const CompletionAnswer = z.object({ choices: z.array(Choice).min(1), usage: Usage.nullish() });

/** A completion's answer, with what it says of its prompt. */
export interface Completion {
  choice: z.infer<typeof Choice>;
  usage: ChatReply['usage'];
}

/** Reads an answer. Throws a `ZodError` where it is no completion. */
export function readCompletion(value: unknown): Completion {
  const { choices, usage } = CompletionAnswer.parse(value);
  return { choice: choices[0] ?? { text: '' }, usage: usage ? billedOf(usage) : null };
}

/** How the endpoint is asked to score a prompt. */
export type Scoring = TeacherSettings['scoring'];

/** The body of a request that scores a prompt: ids, or a text that the endpoint cuts itself. */
export function scoringBody(model: string, prompt: readonly number[] | string, scoring: Scoring): string {
  const form =
    scoring === 'echo' ? { max_tokens: 0, echo: true, logprobs: 1 } : { max_tokens: 1, prompt_logprobs: 1 };
  return JSON.stringify({ model, prompt, ...form, temperature: 1, seed: 0, stream: false });
}

interface ContinuationBody {
  tokens: readonly number[];
  maxTokens: number;
  temperature: number;
  seed: number;
  /** Texts that end it. */
  stop: readonly string[];
}

/** The body of a request that goes on after token ids. */
export function continuationBody(
  model: string,
  { tokens, maxTokens, temperature, seed, stop }: ContinuationBody,
): string {
  return JSON.stringify({
    model,
    prompt: tokens,
    max_tokens: maxTokens,
    temperature,
    seed: seed % MOST_SEED,
    ...(stop.length > 0 && { stop }),
    stream: false,
  });
}

/** A token of a scored prompt. */
export interface ScoredToken {
  /** Null where the answer does not say. */
  text: string | null;
  /** NaN of the first, which nothing stands before. */
  logprob: number;
}

/** The scored tokens of a prompt of ids. Throws `invalid_input` where the answer does not score each of them. */
export function scoredTokens(
  { choice }: Completion,
  ids: readonly number[],
  scoring: Scoring,
): ScoredToken[] {
  const scored = scoring === 'echo' ? echoed(choice).slice(0, ids.length) : byId(choice, ids);
  const unscored = scored.findIndex(({ logprob }, index) => index > 0 && Number.isNaN(logprob));
  if (unscored > 0)
    throw new AppError(
      'invalid_input',
      `it gives no log-probability of token ${unscored}, id ${ids[unscored]}`,
    );
  if (scored.length !== ids.length)
    throw new AppError('invalid_input', `it scores ${scored.length} tokens of a prompt of ${ids.length}`);
  return scored;
}

/** The texts into which the endpoint has cut a prompt that it echoes, the reply's behind them. */
export function echoed({ logprobs }: Completion['choice']): ScoredToken[] {
  if (!logprobs) throw new AppError('invalid_input', 'it has no logprobs of an echoed prompt');
  return logprobs.tokens.map((text, index) => ({ text, logprob: logprobs.token_logprobs[index] ?? NaN }));
}

function byId({ prompt_logprobs: byPosition }: Completion['choice'], ids: readonly number[]): ScoredToken[] {
  if (!byPosition) throw new AppError('invalid_input', 'it has no prompt_logprobs');
  return byPosition.map((position, index) => {
    const own = position?.[String(ids[index])];
    return { text: own?.decoded_token ?? null, logprob: own?.logprob ?? NaN };
  });
}
