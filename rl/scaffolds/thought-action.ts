import type { ParsedReply } from './scaffold';

/**
 * Reads `Thought: ... Action: ...` by AgentGym's rules: exactly one `Action:`, its line, without any character
 * but letters, digits, commas and spaces, spaces squeezed. More than one is no action. Lower case is the
 * environment's business.
 */
export function parseThoughtAction(reply: string): ParsedReply {
  const matches = [...reply.matchAll(/Action:\s*(.*?)(?=\n|$)/gs)];
  const written = matches.length === 1 ? (matches[0]?.[1] ?? '') : '';
  const action = written
    .replace(/[^A-Za-z0-9, ]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  const before = reply.split('Action:')[0] ?? '';
  const thought = before.replace(/^\s*Thought:\s*/, '').trim();
  return { thought: thought || null, action, formatOk: matches.length === 1 && action !== '' };
}
