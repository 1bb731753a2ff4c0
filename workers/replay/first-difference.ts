const LEAD = 40;
const LENGTH = 160;

/** Two texts cut to where they first differ, with a little before it. */
export function fromFirstDifference(left: string, right: string): [string, string] {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  const start = Math.max(0, same - LEAD);
  const excerpt = (text: string): string => (start > 0 ? '... ' : '') + text.slice(start, start + LENGTH);
  return [excerpt(left), excerpt(right)];
}
