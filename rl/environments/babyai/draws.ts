import { AppError } from '@/contract/errors';
import { Pcg64 } from './numpy/pcg64';
import type { Direction } from './objects';

/** Side of a room, or the way to a neighbour: 0 right, 1 down, 2 left, 3 up. */
export type Side = Direction;

/** The layout at hand cannot become the level: the level is drawn anew from the same stream, as upstream does. */
export class LayoutRejected extends Error {}

/** Some seeds have no layout, and upstream never returns from them; the layouts there are take thousands of draws. */
const DRAW_LIMIT = 1_000_000;

/** The draws a layout is made of, from one numpy stream. Throws where they exceed what any layout needs. */
export class LayoutDraws {
  private readonly generator: Pcg64;
  private left = DRAW_LIMIT;

  constructor(
    seed: number,
    /** Level and seed, for an error. */
    readonly label: string,
  ) {
    this.generator = new Pcg64(seed);
  }

  /** Uniform in low .. high - 1. */
  integer(low: number, high: number): number {
    if (this.left === 0) {
      throw new AppError(
        'invalid_input',
        `${this.label} has no layout: ${DRAW_LIMIT} draws did not complete one`,
      );
    }
    this.left--;
    return this.generator.integers(low, high);
  }

  /** Uniform in [0, 1). */
  fraction(): number {
    return this.generator.uniform(0, 1);
  }

  coin(): boolean {
    return this.integer(0, 2) === 0;
  }

  side(): Side {
    return this.integer(0, 4) as Side;
  }

  pick<Item>(list: readonly Item[]): Item {
    return list[this.integer(0, list.length)] as Item;
  }

  /** `count` different elements, in the order drawn. */
  pickSome<Item>(list: readonly Item[], count: number): Item[] {
    const rest = [...list];
    return Array.from({ length: count }, () => {
      const item = this.pick(rest);
      rest.splice(rest.indexOf(item), 1);
      return item;
    });
  }

  /** Two different elements, in the order drawn. */
  pickPair<Item>(list: readonly Item[]): [Item, Item] {
    const [first, second] = this.pickSome(list, 2);
    return [first as Item, second as Item];
  }
}
