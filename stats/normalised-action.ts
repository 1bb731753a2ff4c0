/** The label that some formats leave before an action: `Action: go to ball 1`. */
const LABEL = /^\s*action\s*:/i;
/** `The`, `a` and `an` before a word. */
const ARTICLES = /(?<![\p{L}\p{N}])(?:the|an|a)\s+(?=\p{L})/gu;
/** Everything but letters, digits, white space, a decimal point and the sign of a number. */
const PUNCTUATION = /(?!(?<=\d)\.(?=\d)|(?<![\p{L}\p{N}])-(?=\d))[^\p{L}\p{M}\p{N}\s]/gu;
/** White space that parts no two numbers: `go to` and `goto`, `ball 1` and `ball1`. */
const WORD_BREAKS = /(?<!\d)\s+|\s+(?!\d|-\d)/gu;

/**
 * An action’s text without what wording leaves free: its label, case, width of characters, punctuation, articles, and where
 * words are broken. `Go to the red ball 1.` and `goto red ball 1` are both `gotoredball1`. A text of punctuation alone stays as it is.
 */
export function normaliseAction(text: string): string {
  const words = text.normalize('NFKC').replace(LABEL, '').toLowerCase().replace(PUNCTUATION, ' ').trim();
  return words === '' ? text.trim() : words.replace(ARTICLES, '').replace(WORD_BREAKS, '');
}

/** The numbered things an action names, in their order: `red ball 1` of `go to red ball 1` as `ball1`. */
export function namedThings(text: string): string {
  const things = text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/(\p{L}+)[\s_-]*(\d+)/gu);
  return [...things].map(([, name, number]) => `${name}${number}`).join(' ');
}
