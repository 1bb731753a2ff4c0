/** What Postgres cannot hold as text: NUL and halves of surrogate pairs that stand alone. */
export const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** A text within a value that could not be stored as it is. */
export interface UnstorableText {
  path: (string | number)[];
  message: string;
}

/** Every text of a value, at any depth, that could not be stored as it is. */
export function unstorableTexts(value: unknown, path: (string | number)[] = []): UnstorableText[] {
  if (typeof value === 'string') {
    const index = value.search(UNSTORABLE);
    return index < 0 ? [] : [{ path, message: refusal(value, index) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const items: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return items.flatMap(([key, item]) => unstorableTexts(item, [...path, key]));
}

function refusal(text: string, index: number): string {
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  return `expected text without NUL and halves of surrogate pairs, got U+${code} at position ${index}`;
}
