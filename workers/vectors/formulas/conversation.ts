import { AppError } from '@/contract/errors';
import { rowsOf, type CallAdvantage, type Row, type RowCall } from '@/rl/learning/rows';

/** An episode whose every prompt went on from the last, as tokens. */
export interface Conversation {
  calls: readonly RowCall[];
  /** The prompt that was never answered: all before it and what came last; null where the last reply ended it. */
  unanswered: readonly number[] | null;
}

/**
 * The one row of a conversation, what it was told last included; `advantages` as in `rowsOf`. Throws where a prompt does not go
 * on from the tokens before it, nothing was sampled, or the sequence has over `maxTokens`. Source: agentic-rl-lab
 * `build_trajectory_datum`.
 */
export function conversationRow(
  { calls, unanswered }: Conversation,
  advantages: number | readonly CallAdvantage[],
  { maxTokens }: { maxTokens: number },
): Row {
  calls.forEach(checkCall);
  const answered = calls.filter(({ reply }) => reply.length > 0);
  const [row, broken] = rowsOf(
    unanswered ? [...answered, { prompt: [...unanswered], reply: [], logprobs: [] }] : answered,
    typeof advantages === 'number' ? advantages : advantages.filter((_, i) => calls[i]?.reply.length),
  );
  if (!row || answered.length === 0)
    throw new AppError('invalid_input', 'a conversation without a sampled token teaches nothing');
  if (broken) {
    const shown = broken.prompt.slice(0, 8).join(', ');
    throw new AppError(
      'invalid_input',
      `the prompt [${shown}, ...] does not go on from the tokens before it`,
    );
  }
  const length = row.prompt.length + row.reply.length;
  if (length > maxTokens)
    throw new AppError(
      'invalid_input',
      `the conversation has ${length} tokens, at most ${maxTokens} allowed`,
    );
  return row;
}

function checkCall({ prompt, reply, logprobs }: RowCall, call: number): void {
  if (prompt.length === 0) throw new AppError('invalid_input', `call ${call} has an empty prompt`);
  if (reply.length > 0 && reply.length !== logprobs.length)
    throw new AppError(
      'invalid_input',
      `call ${call} has ${logprobs.length} log-probabilities for ${reply.length} tokens`,
    );
}
