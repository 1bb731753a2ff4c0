import { stopSentence } from '@/components/trajectory/outcome';
import { positionAt, type PairModel, type SideModel } from './pair-model';

/** Where the sides part and how, in a sentence or two. */
export function divergenceWords(model: PairModel): string {
  const { a, b, rows, firstDivergence, divergences } = model;
  if (!a.played || !b.played) return 'Only one side was probed: nothing to compare.';
  if (firstDivergence === null) return 'No divergence: both sides act alike on every turn.';
  const ended = [a, b].find(
    (side) => positionAt(rows, firstDivergence, side.name) === side.played?.marks.length,
  );
  const others = divergences.length > 1 ? `, ${divergences.length} in all` : '';
  return `First divergence at row ${firstDivergence + 1}${others}${ended ? `: ${endWords(ended)}` : '.'} Aligned by action and state.`;
}

function endWords({ name, played }: SideModel): string {
  return `${name.toUpperCase()} has ended. ${played ? stopSentence(played.trajectory) : ''}`;
}

/** The turn, from 1, at which the sides part; null where they never do. */
export function divergenceTurn(model: PairModel): number | null {
  return model.firstDivergence === null ? null : positionAt(model.rows, model.firstDivergence, 'a') + 1;
}
