import { formatCount } from '@/contract/format';
import type { TurnCut } from '@/contract/trajectory-cut';

/** Stands where a turn of a long transcript will be: each is read when it is opened, and says how large it is before. */
export function PendingTurn({ cut }: { cut: TurnCut }) {
  return (
    <p role="status" className="min-h-40 px-2.5 py-2 text-sm text-ink-3">
      Reading the turn: {formatCount(cut.characters)} characters
      {cut.tokens > 0 ? `, ${formatCount(cut.tokens)} tokens` : ''}.
    </p>
  );
}
