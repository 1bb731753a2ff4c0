import type { ImportContext, ImportedEvent } from './importer';

/** Steps of one block of bits. */
const BLOCK_STEPS = 1024;

/** Counts the points of a log that repeat a step of their series, without keeping the points. */
export class RepeatedPoints {
  private readonly seen = new Map<string, Map<number, Uint32Array>>();
  private readonly series = new Set<string>();
  private readonly steps = new Set<number>();
  private points = 0;

  /** The events as they come. */
  *watch(events: Iterable<ImportedEvent>): Generator<ImportedEvent> {
    for (const imported of events) {
      const { event } = imported;
      if (event.kind === 'points:measured')
        for (const { name } of event.points) if (this.wasSeen(name, event.step)) this.count(name, event.step);
      yield imported;
    }
  }

  /** Says how many repeat, in how many steps and series, and which of them is shown. */
  tell(file: string, { skip }: ImportContext): void {
    if (this.points === 0) return;
    const reason =
      `${amount(this.points, 'point')} of ${amount(this.steps.size, 'step')} and ${this.series.size} series ` +
      'repeat a step that an earlier line gives: all are kept, the last line’s is the value of its step and a curve spans them';
    skip({ file, line: null, reason });
  }

  private count(name: string, step: number): void {
    this.points++;
    this.series.add(name);
    this.steps.add(step);
  }

  /** Whether the series has a point of the step, which it has from now on. */
  private wasSeen(name: string, step: number): boolean {
    let blocks = this.seen.get(name);
    if (!blocks) this.seen.set(name, (blocks = new Map<number, Uint32Array>()));
    const number = Math.floor(step / BLOCK_STEPS);
    let block = blocks.get(number);
    if (!block) blocks.set(number, (block = new Uint32Array(BLOCK_STEPS / 32)));
    const within = step % BLOCK_STEPS;
    const word = block[within >> 5] ?? 0;
    const bit = 1 << (within & 31);
    block[within >> 5] = word | bit;
    return (word & bit) !== 0;
  }
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
