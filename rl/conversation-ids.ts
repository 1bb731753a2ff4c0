import type { ChatMessage, Tokenizer } from '@/contract/engine';
import type { Scaffold } from './scaffolds/scaffold';

/** What turns an episode's messages into ids and a reply's ids into text. */
export interface Reader {
  scaffold: Scaffold;
  tokenizer: Tokenizer;
  /** Ids that end a reply; one at its end is not part of its text. */
  stopTokens: readonly number[];
}

/** Ids of a call, as prompt and reply were. */
export interface CallIds {
  prompt: readonly number[];
  reply: readonly number[];
}

/** The reply as text, without the id that ended it. */
export function replyText(reply: readonly number[], { tokenizer, stopTokens }: Reader): string {
  return tokenizer.decode(endOf(reply, stopTokens) === null ? reply : reply.slice(0, -1));
}

/**
 * Ids of the next prompt, given the last acting call where history extends: that call's ids as they were, and only what is new is
 * encoded. A chat template may write what is past in another way than it did, as those that leave thinking out of earlier
 * replies: then nothing extends it, `isRewritten` says so, and the whole conversation is encoded anew, which is what the
 * model will be given elsewhere too. Texts are compared, not ids: the same text has other ids than those that were sampled.
 */
export function promptIds(
  messages: readonly ChatMessage[],
  last: CallIds | null,
  { scaffold, tokenizer, stopTokens }: Reader,
): { ids: number[]; isRewritten: boolean } {
  const written = tokenizer.renderChat(messages, scaffold.tools);
  if (!last) return { ids: tokenizer.encode(written), isRewritten: false };
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const before = tokenizer.renderChat(messages.slice(0, lastReply), scaffold.tools);
  const end = endOf(last.reply, stopTokens);
  const kept = before + (messages[lastReply]?.content ?? '') + (end === null ? '' : tokenizer.decode([end]));
  if (!written.startsWith(kept)) return { ids: tokenizer.encode(written), isRewritten: true };
  const added = tokenizer.encode(written.slice(kept.length));
  return { ids: [...last.prompt, ...last.reply, ...added], isRewritten: false };
}

function endOf(reply: readonly number[], stopTokens: readonly number[]): number | null {
  const last = reply[reply.length - 1];
  return last !== undefined && stopTokens.includes(last) ? last : null;
}
