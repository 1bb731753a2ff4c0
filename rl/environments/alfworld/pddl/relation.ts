/** Objects that a predicate relates; `key` packs them so that facts sort by their objects, first to last. */
export interface Fact {
  key: number;
  objects: readonly number[];
}

const NONE: readonly Fact[] = [];

/** The facts of one predicate, sorted, with an index by the object at each place. */
export class Relation {
  private facts: Fact[] = [];
  private keys = new Set<number>();
  /** By place, then by object. */
  private index: (Fact[] | undefined)[][];

  constructor(readonly arity: number) {
    this.index = Array.from({ length: arity }, () => []);
  }

  get size(): number {
    return this.facts.length;
  }

  has(key: number): boolean {
    return this.keys.has(key);
  }

  /** Every fact, by key. Not to be changed. */
  all(): readonly Fact[] {
    return this.facts;
  }

  /** Facts with `object` at `place`, by key. Not to be changed. */
  at(place: number, object: number): readonly Fact[] {
    return this.index[place]?.[object] ?? NONE;
  }

  /** Whether the fact is new. */
  add(fact: Fact): boolean {
    if (this.keys.has(fact.key)) return false;
    this.keys.add(fact.key);
    insert(this.facts, fact);
    fact.objects.forEach((object, place) => {
      const column = this.index[place];
      if (!column) return;
      const facts = column[object];
      if (facts) insert(facts, fact);
      else column[object] = [fact];
    });
    return true;
  }

  /** Whether the fact was there. */
  delete(fact: Fact): boolean {
    if (!this.keys.delete(fact.key)) return false;
    remove(this.facts, fact);
    fact.objects.forEach((object, place) => {
      const facts = this.index[place]?.[object];
      if (facts) remove(facts, fact);
    });
    return true;
  }

  copy(): Relation {
    const copy = new Relation(this.arity);
    copy.facts = this.facts.slice();
    copy.keys = new Set(this.keys);
    copy.index = this.index.map((column) => column.map((facts) => facts?.slice()));
    return copy;
  }
}

/** Place of the first fact whose key is not below. */
function placeOf(facts: readonly Fact[], key: number): number {
  let low = 0;
  let high = facts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const fact = facts[middle];
    if (fact && fact.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(facts: Fact[], fact: Fact): void {
  const last = facts.at(-1);
  if (!last || last.key < fact.key) facts.push(fact);
  else facts.splice(placeOf(facts, fact.key), 0, fact);
}

function remove(facts: Fact[], fact: Fact): void {
  facts.splice(placeOf(facts, fact.key), 1);
}
