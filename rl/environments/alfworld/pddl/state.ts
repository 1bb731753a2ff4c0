import { AppError } from '@/contract/errors';
import type { ObjectTable } from './objects';
import type { Fact, Relation } from './relation';

/** What is true: a relation for each predicate. */
export class State {
  constructor(
    readonly objects: ObjectTable,
    readonly relations: readonly Relation[],
  ) {}

  relation(predicate: number): Relation {
    const relation = this.relations[predicate];
    if (!relation) throw new AppError('internal', `there is no predicate ${predicate}`);
    return relation;
  }

  /** A state that changes on its own; relations that nothing changes are shared. */
  copy(fluent: readonly boolean[]): State {
    const relations = this.relations.map((relation, predicate) =>
      fluent[predicate] ? relation.copy() : relation,
    );
    return new State(this.objects, relations);
  }
}

/** The fact of some objects. Throws where they cannot be packed into one exact integer. */
export function packFact(objects: readonly number[], count: number): Fact {
  let key = 0;
  for (const object of objects) key = key * count + object;
  if (key > Number.MAX_SAFE_INTEGER) {
    throw new AppError('too_large', `a fact of ${objects.length} among ${count} objects is too large`);
  }
  return { key, objects };
}
