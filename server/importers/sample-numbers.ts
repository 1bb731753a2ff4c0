import type { ImportContext } from './importer';

/** Numbers the samples of a task, so that no two plays of it are one: by what is stated, else by their order. */
export class SampleNumbers {
  private readonly taken = new Map<string, Set<number>>();
  private repeated = 0;

  /** @param stated null where the source does not say */
  numberOf(task: string, stated: number | null): number {
    const taken = this.taken.get(task) ?? new Set();
    this.taken.set(task, taken);
    const isRepeated = stated !== null && taken.has(stated);
    if (isRepeated) this.repeated++;
    const sample = stated === null || isRepeated ? firstFree(taken) : stated;
    taken.add(sample);
    return sample;
  }

  /** Says how many samples were given another number than the one that is stated. */
  tell(file: string, { skip }: ImportContext): void {
    if (this.repeated > 0)
      skip({
        file,
        line: null,
        reason: `${this.repeated} episodes state a sample_idx that another of their task has: each is taken as a further sample`,
      });
  }
}

function firstFree(taken: ReadonlySet<number>): number {
  let sample = taken.size;
  while (taken.has(sample)) sample++;
  return sample;
}
