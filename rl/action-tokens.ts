import type { Turn } from '@/contract/trajectory';
import type { ActionPart } from '@/contract/action-scores';

/** Tokens `from` to `to` of a reply, the last one left out. */
export interface TokenSpan {
  part: ActionPart;
  from: number;
  to: number;
}

/**
 * The tokens of a recorded reply that say its action: where the reply spells the action, those that write its last
 * mention; where it does not, as a tool call, all after the thought but the ones that end the reply. Null where the
 * reply held no action, or tokens were not recorded.
 */
export function actionTokens(
  { tokens, action, thought }: Turn,
  stopTokens: readonly number[],
): TokenSpan | null {
  if (!tokens || action === '') return null;
  const text = tokens.texts.join('');
  const spelled = text.lastIndexOf(action);
  if (spelled !== -1) return spanOf(tokens.texts, 'action', spelled, spelled + action.length);
  const last = tokens.ids.at(-1);
  const isEnded = last !== undefined && stopTokens.includes(last);
  const end = isEnded ? text.length - (tokens.texts.at(-1)?.length ?? 0) : text.length;
  const thoughtAt = thought ? text.indexOf(thought) : -1;
  const begin = thought && thoughtAt !== -1 ? thoughtAt + thought.length : 0;
  return begin < end ? spanOf(tokens.texts, 'after-thought', begin, end) : null;
}

/** The tokens of which any character is among those from `begin` on and before `end`. */
function spanOf(texts: readonly string[], part: ActionPart, begin: number, end: number): TokenSpan | null {
  let offset = 0;
  let from: number | null = null;
  let to = 0;
  for (const [index, text] of texts.entries()) {
    const next = offset + text.length;
    if (next > begin && offset < end) {
      from ??= index;
      to = index + 1;
    }
    offset = next;
  }
  return from === null ? null : { part, from, to };
}
