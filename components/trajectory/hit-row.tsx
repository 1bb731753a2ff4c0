import { Link } from '@/components/ui/link';
import { markHits, parseSearch } from '@/contract/text-search';
import type { ListedTrajectory } from '@/contract/trajectory-list';
import { PlainText } from './plain-text';
import { writePosition } from './position';
import { ITEM_HEIGHTS } from './trajectory-groups';

/** Where a search was found in the trajectory above: a link to its turn, and the text around it as text. */
export function HitRow({ row, text, columns }: { row: ListedTrajectory; text: string; columns: number }) {
  const { hit } = row;
  if (!hit) return null;
  const atEnd = hit.turn >= row.turnsCount;
  const href = `/trajectories/${encodeURIComponent(row.id)}?t=${writePosition(hit.turn, row.turnsCount)}`;
  return (
    <tr className="border-b border-line" style={{ height: ITEM_HEIGHTS.hit }}>
      <td colSpan={columns} className="truncate px-2 pl-8 text-sm text-ink-2">
        <Link href={href} className="text-link">
          {atEnd ? 'end' : `turn ${hit.turn + 1}`}, {hit.source}
        </Link>{' '}
        <span className="font-mono text-mono">
          {markHits(hit.snippet, parseSearch(text)).map((piece, index) =>
            piece.isHit ? (
              <mark key={index} className="rounded-sm bg-warn-bg text-ink">
                <PlainText text={piece.text} />
              </mark>
            ) : (
              <PlainText key={index} text={piece.text} />
            ),
          )}
        </span>
      </td>
    </tr>
  );
}
