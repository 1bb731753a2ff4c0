/** Counts handlers under way, so that a stopping server lets them end. */
export class HandlersUnderWay {
  private readonly running = new Set<Promise<unknown>>();

  /** For event listeners: runs `handle`, which must not throw, and holds it until it ends. */
  start(handle: () => Promise<unknown>): void {
    const running = handle().finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Resolves when all have ended, or after `limitMs`. */
  async drained(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([Promise.allSettled([...this.running]), limit]);
    clearTimeout(timer);
  }
}

/** Runs actions one after another, in the order they were given; a failed one does not stop the next. */
export function turnTaker(): (action: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (action) => {
    last = last.then(action, action);
    return last;
  };
}
