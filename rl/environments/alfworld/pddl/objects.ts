import { AppError } from '@/contract/errors';
import type { TypeTable } from './domain';
import type { Typed } from './expression';

/** A state packs the objects of a fact into one exact integer. */
const MOST_OBJECTS = 0xffff;

/** What a constant that the problem does not declare stands for: an object of no fact. */
const NOBODY = -1;

/** The objects of a problem, numbered from 0 in the order of their names by UTF-16 units. */
export class ObjectTable {
  readonly names: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly typeNames: readonly string[];
  private readonly byType = new Map<string, readonly number[]>();
  private readonly isOf = new Map<string, Uint8Array>();

  /** Throws where an object is declared twice or there are more than 65,535. */
  constructor(
    objects: readonly Typed[],
    private readonly types: TypeTable,
    file: string,
  ) {
    const sorted = [...objects].sort((left, right) => (left.name < right.name ? -1 : 1));
    this.names = sorted.map(({ name }) => name);
    this.typeNames = sorted.map(({ type }) => type);
    this.numbers = new Map(this.names.map((name, number) => [name, number]));
    if (this.numbers.size < sorted.length) {
      const twice = this.names.find((name, number) => this.numbers.get(name) !== number);
      throw new AppError('invalid_input', `${file}: the object ${twice} is declared twice`);
    }
    if (sorted.length > MOST_OBJECTS) {
      throw new AppError('too_large', `${file}: ${sorted.length} objects, at most ${MOST_OBJECTS}`);
    }
  }

  get count(): number {
    return this.names.length;
  }

  /** `NOBODY` where there is none of that name. */
  number(name: string): number {
    return this.numbers.get(name) ?? NOBODY;
  }

  typeOf(object: number): string {
    return this.typeNames[object] ?? '';
  }

  /** By object: 1 where it is of the type or one below. A type that nothing declares has no objects. */
  membership(type: string): Uint8Array {
    const known = this.isOf.get(type);
    if (known) return known;
    const made = Uint8Array.from(this.typeNames, (name) =>
      this.types.withSupertypes(name).includes(type) ? 1 : 0,
    );
    this.isOf.set(type, made);
    return made;
  }

  /** Objects of the type or one below, in order. */
  ofType(type: string): readonly number[] {
    const known = this.byType.get(type);
    if (known) return known;
    const members = this.membership(type);
    const made = this.names.flatMap((_name, number) => (members[number] === 1 ? [number] : []));
    this.byType.set(type, made);
    return made;
  }
}
