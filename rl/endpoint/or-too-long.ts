import type { ChatReply } from '@/contract/endpoint';
import { AppError } from '@/contract/errors';

/** An endpoint's reply; null where the prompt is longer than the model's context. Throws what else the endpoint throws. */
export async function orTooLong(reply: Promise<ChatReply>): Promise<ChatReply | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return null;
    throw error;
  }
}
