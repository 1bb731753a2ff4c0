import type { OutageNotice } from '@/contract/endpoint';

/** Which requests are waited for in vain, and why. */
export class Troubles implements OutageNotice {
  private readonly reasons = new Map<object, string>();
  private told: string | null = null;
  private listeners: (() => void)[] = [];

  get trouble(): string | null {
    return this.told;
  }

  troubleChanged(): Promise<void> {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  /** Notes why a request has no answer yet; null once it has one, or is given up. */
  tell(request: object, reason: string | null): void {
    if (reason === null) this.reasons.delete(request);
    else this.reasons.set(request, reason);
    const [first = null] = this.reasons.values();
    // Another wording of the same trouble is no change.
    if ((first === null) === (this.told === null)) return;
    this.told = first;
    for (const listener of this.listeners.splice(0)) listener();
  }
}

/** How a failure is told once its request has been tried so often. */
export function triedWords(reason: string, tries: number): string {
  return `${reason}; tried ${tries === 1 ? 'once' : `${tries} times`}`;
}
