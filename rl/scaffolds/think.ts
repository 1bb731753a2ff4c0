/** A reply's thinking and what it says after it. */
export interface ThoughtAndRest {
  thought: string | null;
  rest: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Parts a reply at its closed `<think>...</think>`, which must come first. The opening tag may be missing, for some chat
 * templates write it. Null where thinking is left open, or opened or closed twice.
 */
export function splitThought(reply: string): ThoughtAndRest | null {
  const close = reply.indexOf(CLOSE);
  if (close < 0) return reply.includes(OPEN) ? null : { thought: null, rest: reply };
  const before = reply.slice(0, close).trimStart();
  const thought = before.startsWith(OPEN) ? before.slice(OPEN.length) : before;
  const rest = reply.slice(close + CLOSE.length);
  const isTagged = (text: string): boolean => text.includes(OPEN) || text.includes(CLOSE);
  return isTagged(thought) || isTagged(rest) ? null : { thought: thought.trim() || null, rest };
}
