import { formatCount } from '@/contract/format';
import type { Turn } from '@/contract/trajectory';
import type { TurnCut } from '@/contract/trajectory-cut';
import { Block } from './block';
import { ObservationBlock, ReplyText } from './turn-detail';

/** A turn of a long transcript before it has been read whole: how large it is, and the beginnings of its texts. */
export function PendingTurn({ turn, cut }: { turn: Turn; cut: TurnCut }) {
  return (
    <>
      <p role="status" className="border-b border-line px-2.5 py-1.5 text-sm text-ink-3">
        Reading the whole turn: {formatCount(cut.characters)} characters
        {cut.tokens > 0 ? `, ${formatCount(cut.tokens)} tokens` : ''}.
      </p>
      <ObservationBlock turn={turn} />
      <Block label="Reply, its beginning">
        <ReplyText reply={turn.reply} />
      </Block>
    </>
  );
}
