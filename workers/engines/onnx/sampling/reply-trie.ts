import { AppError } from '@/contract/errors';

interface TrieNode {
  /** Ids that continue an allowed reply from here, ascending; empty at a reply's end. */
  continuations: number[];
  next: Map<number, TrieNode>;
}

/** The replies a sample may write, as a tree of tokens. */
export interface ReplyTrie {
  readonly root: TrieNode;
}

/** How far a sample has come within the allowed replies. */
export type TriePosition = TrieNode;

/**
 * Builds the tree of `replies`. Throws `invalid_input` where there is none, where one is empty or longer than
 * `maxTokens`, where one holds a stop token before its end, or where one is the beginning of another: none of these
 * could be written to its end.
 */
export function buildReplyTrie(
  replies: readonly (readonly number[])[],
  maxTokens: number,
  stopTokens: readonly number[],
): ReplyTrie {
  if (replies.length === 0)
    throw new AppError('invalid_input', 'allowedReplies is empty, at least one reply is needed');
  const root: TrieNode = { continuations: [], next: new Map() };
  const ends = new Set<TrieNode>();
  replies.forEach((reply, index) => {
    checkReply(reply, index, maxTokens, stopTokens);
    let node = root;
    for (const token of reply) {
      const next = node.next.get(token) ?? { continuations: [], next: new Map<number, TrieNode>() };
      node.next.set(token, next);
      node = next;
    }
    ends.add(node);
  });
  const order = (node: TrieNode): void => {
    if (ends.has(node) && node.next.size > 0)
      throw new AppError(
        'invalid_input',
        'allowedReplies: one reply is the beginning of another, end each by a stop token',
      );
    node.continuations = [...node.next.keys()].sort((a, b) => a - b);
    node.next.forEach(order);
  };
  order(root);
  return { root };
}

function checkReply(
  reply: readonly number[],
  index: number,
  maxTokens: number,
  stopTokens: readonly number[],
): void {
  if (reply.length === 0 || reply.length > maxTokens)
    throw new AppError(
      'invalid_input',
      `allowedReplies[${index}] has ${reply.length} tokens, it needs 1 to maxTokens = ${maxTokens}`,
    );
  const early = reply.slice(0, -1).find((token) => stopTokens.includes(token));
  if (early !== undefined)
    throw new AppError('invalid_input', `allowedReplies[${index}] has stop token ${early} before its end`);
}

/** The place after `token`; throws where it leads out of the allowed replies. */
export function advance(position: TriePosition, token: number): TriePosition {
  const next = position.next.get(token);
  if (!next) throw new Error(`token ${token} is not among ${position.continuations.join()}`);
  return next;
}
