import { visiblePieces } from './visible-text';

const REASONS = {
  control: 'control character',
  invisible: 'character without width',
  direction: 'turns the reading direction',
  surrogate: 'half of a surrogate pair',
} as const;

/** What a model or an environment wrote, as text: odd characters are spelt out, markup stays letters. */
export function PlainText({ text }: { text: string }) {
  return visiblePieces(text).map((piece, index) =>
    piece.spelled ? (
      <span key={index} title={REASONS[piece.spelled]} className="rounded-sm bg-warn-bg px-0.5 text-warn">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}
