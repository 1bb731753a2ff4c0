/** Colour of a state. It repeats what a word and an icon say and never stands alone. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

export const TONE_TEXT: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  quiet: 'text-ink-2',
};

export const TONE_BORDER: Record<Tone, string> = {
  ok: 'border-l-ok',
  warn: 'border-l-warn',
  bad: 'border-l-bad',
  info: 'border-l-info',
  quiet: 'border-l-line-2',
};

export const TONE_FILL: Record<Tone, string> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  quiet: 'bg-ink-3',
};
