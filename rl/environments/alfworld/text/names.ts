/**
 * What texts call each object, by number. An id `Mug_bar_...` is called `mug N`; ids of one kind are counted down, so
 * that the first in order has the highest number. `basin` anywhere in an id makes its kind a basin: `sinkbasin 1`. An
 * id without `_bar_` is called by itself and a space. `ids` are in order; only those in `named` are counted.
 *
 * Source: alfworld/agents/utils/misc.py, Demangler.
 */
export function nameObjects(ids: readonly string[], named: ReadonlySet<number>): string[] {
  const kinds = ids.map((id) => kindOf(id));
  const left = new Map<string, number>();
  kinds.forEach((kind, number) => {
    if (kind !== null && named.has(number)) left.set(kind, (left.get(kind) ?? 0) + 1);
  });
  return ids.map((id, number) => {
    const kind = kinds[number];
    if (kind === null || kind === undefined || !named.has(number)) return `${id} `;
    const count = left.get(kind) ?? 0;
    left.set(kind, count - 1);
    return `${kind} ${count}`;
  });
}

function kindOf(id: string): string | null {
  const end = id.indexOf('_bar_');
  if (end < 0) return null;
  return id.slice(0, end) + (id.includes('basin') ? 'basin' : '');
}
