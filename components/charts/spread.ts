/**
 * Moves labels apart so that neighbours are at least `gap` apart, keeping their order and staying within
 * [0, limit] where there is room. Positions and result are in pixels, in the order given.
 */
export function spread(positions: readonly number[], gap: number, limit: number): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  const placed = [...positions];
  let floor = -Infinity;
  for (const index of order) {
    placed[index] = Math.max(positions[index] ?? 0, floor);
    floor = (placed[index] ?? 0) + gap;
  }
  let ceiling = limit;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - gap;
  }
  return placed;
}
