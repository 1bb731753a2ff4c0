/** Lets calls pass in the order they come, so many and so heavy at a time. */
export class Gate {
  private open = 0;
  private openWeight = 0;
  private readonly waiting: { weight: number; enter: () => void }[] = [];

  /** `limit` may change from call to call; a call heavier than `maxWeight` passes alone. */
  constructor(
    private readonly limit: () => number,
    private readonly maxWeight = Infinity,
  ) {}

  async pass<Result>(weight: number, call: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length > 0 || !this.admits(weight))
      await new Promise<void>((enter) => this.waiting.push({ weight, enter }));
    else this.enter(weight);
    try {
      return await call();
    } finally {
      this.open--;
      this.openWeight -= weight;
      this.admitWaiting();
    }
  }

  private admits(weight: number): boolean {
    if (this.open === 0) return true;
    return this.open < this.limit() && this.openWeight + weight <= this.maxWeight;
  }

  private enter(weight: number): void {
    this.open++;
    this.openWeight += weight;
  }

  private admitWaiting(): void {
    for (let next = this.waiting[0]; next && this.admits(next.weight); next = this.waiting[0]) {
      this.waiting.shift();
      this.enter(next.weight);
      next.enter();
    }
  }
}
