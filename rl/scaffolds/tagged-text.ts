/** The text within the only pair of a tag, and what stands before it, without the space around them; null for no or several pairs. */
export function onlyTagged(reply: string, tag: string): { before: string; text: string } | null {
  const [before, opened, ...moreOpened] = reply.split(`<${tag}>`);
  const [text, after, ...moreClosed] = opened?.split(`</${tag}>`) ?? [];
  if (before === undefined || text === undefined || after === undefined) return null;
  if (moreOpened.length || moreClosed.length || before.includes(`</${tag}>`)) return null;
  return { before: before.trim(), text: text.trim() };
}
