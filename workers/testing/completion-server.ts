/** A completions route that scores prompts by a tokenizer, in both of the forms that servers have. */
import type { Tokenizer } from '@/contract/engine';
import type { ChatServerAnswer } from './chat-server';

/** What the route is asked. */
export interface AskedCompletion {
  prompt: string | number[];
  max_tokens: number;
  echo?: boolean;
  prompt_logprobs?: number;
  seed?: number;
}

interface Scorer {
  tokenizer: Pick<Tokenizer, 'encode' | 'decode'>;
  /** Log-probability of an id at a place of the prompt. */
  logprob(id: number, at: number): number;
  /** What it writes. */
  written?: string;
}

/** An answer as vLLM gives it: scores by id, or an echo, and what it wrote. */
export function scoredCompletion(
  { prompt, max_tokens: maxTokens, echo, prompt_logprobs: byId }: AskedCompletion,
  { tokenizer, logprob, written = ' go' }: Scorer,
): ChatServerAnswer {
  const ids = typeof prompt === 'string' ? tokenizer.encode(prompt) : prompt;
  const text = maxTokens > 0 ? written : '';
  const scores = ids.map((id, at) => (at === 0 ? null : logprob(id, at)));
  const texts = ids.map((id) => tokenizer.decode([id]));
  const choice = {
    index: 0,
    text: echo ? texts.join('') + text : text,
    finish_reason: 'length',
    logprobs: echo ? { tokens: texts, token_logprobs: scores } : null,
    ...(byId !== undefined && {
      prompt_logprobs: ids.map((id, at) => {
        const score = scores[at];
        const own = { logprob: score, rank: 2, decoded_token: texts[at] };
        const likeliest = { logprob: -0.01, rank: 1, decoded_token: 'other' };
        return score === null ? null : { [String(id)]: own, [String(id + 1_000_000)]: likeliest };
      }),
    }),
  };
  const usage = { prompt_tokens: ids.length, completion_tokens: text === '' ? 0 : 1 };
  return { status: 200, body: JSON.stringify({ object: 'text_completion', choices: [choice], usage }) };
}
