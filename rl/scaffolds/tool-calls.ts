/** A tool call as a reply writes it. */
export interface ToolCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What stands around and within a reply's only `<tool_call>`. */
export interface CallText {
  before: string;
  body: string;
}

/**
 * The only `<tool_call>...</tool_call>` of a text, which must end it; tags in any case, body without the space around
 * it. Null where there is none, more than one, or text after it.
 */
export function onlyCallText(text: string): CallText | null {
  const [open, ...moreOpen] = text.matchAll(/<tool_call>/gi);
  const [close, ...moreClose] = text.matchAll(/<\/tool_call>/gi);
  if (!open || !close || moreOpen.length || moreClose.length || close.index < open.index) return null;
  if (text.slice(close.index + close[0].length).trim() !== '') return null;
  const body = text.slice(open.index + open[0].length, close.index).trim();
  return { before: text.slice(0, open.index).trim(), body };
}

/**
 * Reads `{"name": ..., "arguments": {...}}`; arguments may also be a string that holds such an object, as some chat
 * templates write them. Null where the text is anything else.
 */
export function readToolCall(json: string): ToolCall | null {
  const call = readObject(json);
  if (typeof call?.name !== 'string') return null;
  const given = typeof call.arguments === 'string' ? readObject(call.arguments) : call.arguments;
  return isObject(given) ? { name: call.name, arguments: given } : null;
}

function readObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
