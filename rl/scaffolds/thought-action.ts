import { pythonStrip } from '../environments/babyai/python-strip';
import type { ParsedReply } from './scaffold';

/** An `Action:` and the rest of its line; white space after it, as Python counts it, may hold line ends. */
const ACTION = /Action:(?:[^\S\ufeff]|[\x1c-\x1f\x85])*([^\n]*)/g;
const MARK = 'Action:';

/** How many actions a reply writes, by AgentGym's count: what an `Action:` line holds is one action. */
export function countActions(reply: string): number {
  return [...reply.matchAll(ACTION)].length;
}

/**
 * Reads `Thought: ... Action: ...` by AgentGym's rules for BabyAI: exactly one `Action:`, its line, without any
 * character but letters, digits, commas and spaces, spaces squeezed. More than one is no action. Lower case is the
 * environment's business.
 */
export function parseThoughtAction(reply: string): ParsedReply {
  const matches = [...reply.matchAll(ACTION)];
  const written = matches.length === 1 ? (matches[0]?.[1] ?? '') : '';
  const action = written
    .replace(/[^A-Za-z0-9, ]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  const before = reply.split(MARK)[0] ?? '';
  return { thought: withoutThoughtMark(before), action, formatOk: matches.length === 1 && action !== '' };
}

/**
 * Reads the same by AgentGym's rules for ALFWorld: what follows the last `Action:`, to the end of the reply, as it
 * stands but for the space around it.
 */
export function parseLastAction(reply: string): ParsedReply {
  const mark = reply.lastIndexOf(MARK);
  if (mark < 0) return { thought: withoutThoughtMark(reply), action: '', formatOk: false };
  const action = pythonStrip(reply.slice(mark + MARK.length));
  return { thought: withoutThoughtMark(reply.slice(0, mark)), action, formatOk: action !== '' };
}

function withoutThoughtMark(text: string): string | null {
  return text.replace(/^\s*Thought:\s*/, '').trim() || null;
}
