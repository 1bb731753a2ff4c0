/**
 * Episodes are played in token ids; a model behind an API takes messages. Here a token is a UTF-16 code unit and a prompt is
 * its messages, written so that they can be read back, letter by letter.
 */
import type { ChatMessage, Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';

/** Ends a message. Unicode keeps this code for itself: no text of a world or a model holds it. */
export const END = 0xffff;
const END_TEXT = String.fromCharCode(END);
/** Role, name of a tool if any, and text; the name ends at the first line's end. */
const MESSAGE = /^(system|user|assistant|tool) ([^\n]*)\n([\s\S]*)$/;
/** What a reply is written after. */
const OPENING = 'assistant \n';

export const TEXT_TOKENS: Tokenizer = {
  vocabularySize: END + 1,
  encode: (text) => Array.from({ length: text.length }, (_, unit) => text.charCodeAt(unit)),
  decode: (ids) => ids.map((id) => String.fromCharCode(id)).join(''),
  specialId: () => END,
  renderChat: (messages) => messages.map(writeMessage).join('') + OPENING,
  encodeChat: (messages) => TEXT_TOKENS.encode(TEXT_TOKENS.renderChat(messages)),
};

function writeMessage({ role, name = '', content }: ChatMessage): string {
  return `${role} ${name}\n${withoutEnd(content)}${END_TEXT}`;
}

/** A model's text without the code that would end it early. */
export function withoutEnd(text: string): string {
  return text.replaceAll(END_TEXT, '\ufffd');
}

/** The messages of a prompt that `renderChat` wrote. Throws `internal` for any other. */
export function readMessages(prompt: readonly number[]): ChatMessage[] {
  const parts = TEXT_TOKENS.decode(prompt).split(END_TEXT);
  if (parts.pop() !== OPENING) throw new AppError('internal', 'a prompt does not end where a reply begins');
  return parts.map((part) => {
    const [, role, name, content = ''] = MESSAGE.exec(part) ?? [];
    if (!isRole(role)) throw new AppError('internal', `a prompt holds no message: ${JSON.stringify(part)}`);
    return { role, content, ...(name && { name }) };
  });
}

function isRole(text: string | undefined): text is ChatMessage['role'] {
  return text === 'system' || text === 'user' || text === 'assistant' || text === 'tool';
}
