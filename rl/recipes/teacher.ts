import type { SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { CallTokens } from '@/rl/call-tokens';

/** A call whose reply a teacher scores, and what stands before it in the teacher's eyes. */
export interface AskedCall {
  call: CallTokens;
  prompt: readonly number[];
}

/** Writes the teacher's log-probabilities of each reply into its call. Throws `unavailable` where it does not score all tokens. */
export async function scoreReplies(
  teacher: Pick<SamplingClient, 'computeLogprobs'>,
  asked: readonly AskedCall[],
): Promise<void> {
  await Promise.all(
    asked.map(async ({ call, prompt }) => {
      const logprobs = await teacher.computeLogprobs([...prompt, ...call.reply]);
      if (logprobs.length !== prompt.length + call.reply.length)
        throw new AppError(
          'unavailable',
          `the teacher scored ${logprobs.length} tokens of ${prompt.length + call.reply.length}`,
        );
      call.teacherLogprobs = logprobs.slice(prompt.length);
    }),
  );
}
