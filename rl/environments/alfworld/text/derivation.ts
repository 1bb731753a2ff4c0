import { AppError } from '@/contract/errors';
import type { ObjectTable } from '../pddl/objects';
import type { Fact, Relation } from '../pddl/relation';

/** One place of a query's condition. */
export interface Place {
  /** Number of the placeholder: a name with its type. */
  placeholder: number;
  /** Number of the name alone, which expressions use. */
  variable: number;
  type: string;
}

/** A condition of a query: facts of a relation. */
export interface Clause {
  relation: number;
  places: readonly Place[];
}

/** Relations by number, as texts know them; undefined where no text reads one. */
export type TextFacts = readonly (Relation | undefined)[];

/** Writes a text. */
export type Writer = (derivation: Derivation) => string;

/** Facts that one text may try; the texts of real games try some thousands. */
const MOST_TRIES = 1_000_000;

/** What a text is derived from: the facts, the names, and the objects chosen so far. */
export class Derivation {
  /** Of symbols in symbols; a grammar that never ends is stopped by it. */
  depth = 0;
  private tries = 0;
  private readonly byPlaceholder: Int32Array;
  private readonly byVariable: Int32Array;
  private readonly taken: number[] = [];
  private readonly undo: { place: Place; variable: number }[] = [];

  constructor(
    readonly facts: TextFacts,
    readonly names: readonly string[],
    private readonly objects: ObjectTable,
    sizes: { placeholders: number; variables: number },
    /** Named where the grammar asks too much. */
    private readonly file: string,
    /** Writes the game's own task line; null where the grammar's rule does. */
    readonly task: Writer | null,
  ) {
    this.byPlaceholder = new Int32Array(sizes.placeholders).fill(-1);
    this.byVariable = new Int32Array(sizes.variables).fill(-1);
  }

  /** -1 where nothing is chosen. */
  objectOf(variable: number): number {
    return this.byVariable[variable] ?? -1;
  }

  idOf(object: number): string {
    return this.objects.names[object] ?? '';
  }

  /** Chooses an object for a placeholder that has none. */
  choose(place: Place, object: number): void {
    this.undo.push({ place, variable: this.objectOf(place.variable) });
    this.byPlaceholder[place.placeholder] = object;
    this.byVariable[place.variable] = object;
    this.taken.push(object);
  }

  /**
   * Calls `found` for each way to make the clauses true, depth first through the clauses, facts in the order of their
   * objects' names; stops where it answers true, and says so. No two placeholders take the same object.
   */
  assign(clauses: readonly Clause[], found: () => boolean, from = 0): boolean {
    const clause = clauses[from];
    if (!clause) return found();
    for (const { objects } of this.candidates(clause)) {
      if (++this.tries > MOST_TRIES) throw tooManyTries(this.file);
      const mark = this.undo.length;
      const stop = this.fits(clause, objects) && this.assign(clauses, found, from + 1);
      this.release(mark);
      if (stop) return true;
    }
    return false;
  }

  private candidates({ relation, places }: Clause): readonly Fact[] {
    const facts = this.facts[relation];
    if (!facts) return [];
    const known = places.findIndex(({ placeholder }) => (this.byPlaceholder[placeholder] ?? -1) >= 0);
    const placeholder = places[known]?.placeholder;
    return placeholder === undefined ? facts.all() : facts.at(known, this.byPlaceholder[placeholder] ?? -1);
  }

  private fits({ places }: Clause, objects: readonly number[]): boolean {
    for (let index = 0; index < places.length; index++) {
      const place = places[index];
      const object = objects[index];
      if (!place || object === undefined) return false;
      const chosen = this.byPlaceholder[place.placeholder] ?? -1;
      if (chosen >= 0) {
        if (chosen !== object) return false;
        // The name may stand for another placeholder's object.
        this.rename(place, object);
      } else {
        if (this.taken.includes(object) || this.objects.membership(place.type)[object] !== 1) return false;
        this.choose(place, object);
      }
    }
    return true;
  }

  private rename(place: Place, object: number): void {
    const variable = this.objectOf(place.variable);
    if (variable === object) return;
    this.undo.push({ place: { ...place, placeholder: -1 }, variable });
    this.byVariable[place.variable] = object;
  }

  private release(mark: number): void {
    while (this.undo.length > mark) {
      const step = this.undo.pop();
      if (!step) return;
      this.byVariable[step.place.variable] = step.variable;
      if (step.place.placeholder < 0) continue;
      this.byPlaceholder[step.place.placeholder] = -1;
      this.taken.pop();
    }
  }
}

function tooManyTries(file: string): AppError {
  return new AppError('too_large', `${file}: grammar: a condition tries too many facts`);
}
