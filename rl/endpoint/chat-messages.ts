/** Replies between the text that scaffolds read and write, and the parts that APIs give them in. */
import type { ChatReply, EndpointMessage, EndpointToolCall } from '@/contract/endpoint';
import type { ChatMessage } from '@/contract/engine';
import { splitThought } from '@/rl/scaffolds/think';
import { onlyCallText, readToolCall } from '@/rl/scaffolds/tool-calls';

/**
 * A reply as one text: thinking in its tags, what was said, tool calls in theirs. Thinking is left out for scaffolds without
 * tools, whose parsers would read it as what was said.
 */
export function replyText({ content, reasoning, toolCalls }: ChatReply, hasTools: boolean): string {
  const thought =
    hasTools && reasoning ? `<think>\n${reasoning.replaceAll(/<\/?think>/g, '')}\n</think>\n\n` : '';
  const calls = toolCalls.map(
    ({ name, arguments: given }) => `\n<tool_call>\n${writeCall(name, given)}\n</tool_call>`,
  );
  return `${thought}${content}${calls.join('')}`;
}

/** Arguments that are no JSON stay a text, which breaks the format as it should. */
function writeCall(name: string, given: string): string {
  return `{"name": ${JSON.stringify(name)}, "arguments": ${isJson(given) ? given : JSON.stringify(given)}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A conversation as an API takes it: past replies with their tool calls apart, and with their thinking only where it is to be
 * given back. A tool message that answers no call, since the reply before it held none, is told by the user.
 */
export function endpointMessages(
  messages: readonly ChatMessage[],
  { hasTools, replaysReasoning }: { hasTools: boolean; replaysReasoning: boolean },
): EndpointMessage[] {
  let open: EndpointToolCall | null = null;
  return messages.map((message, index): EndpointMessage => {
    if (message.role === 'assistant') {
      const reply = readReply(message.content, hasTools, `call-${index}`);
      open = reply.toolCalls?.[0] ?? null;
      return replaysReasoning ? reply : { ...reply, reasoning: undefined };
    }
    if (message.role !== 'tool') return message;
    const answered = open;
    open = null;
    return answered
      ? { ...message, name: answered.name, toolCallId: answered.id }
      : { role: 'user', content: message.content };
  });
}

function readReply(text: string, hasTools: boolean, id: string): EndpointMessage {
  const parts = hasTools ? splitThought(text) : null;
  if (!parts) return { role: 'assistant', content: text };
  const thinking = parts.thought === null ? {} : { reasoning: parts.thought };
  const written = onlyCallText(parts.rest);
  const read = written && readToolCall(written.body);
  if (!written || !read) return { role: 'assistant', content: parts.rest.trim(), ...thinking };
  const call = { id, name: read.name, arguments: JSON.stringify(read.arguments) };
  return { role: 'assistant', content: written.before, ...thinking, toolCalls: [call] };
}
