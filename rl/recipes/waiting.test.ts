import { expect, it } from 'vitest';
import type { RecipeEvent } from '@/contract/run-events';
import { waitFor } from './waiting';

/** An endpoint whose trouble is told by hand. */
class HandledEndpoint {
  trouble: string | null = null;
  private listeners: (() => void)[] = [];

  troubleChanged(): Promise<void> {
    return new Promise((resolve) => this.listeners.push(resolve));
  }

  tell(trouble: string | null): void {
    this.trouble = trouble;
    for (const listener of this.listeners.splice(0)) listener();
  }
}

async function collect<Result>(
  events: AsyncGenerator<RecipeEvent, Result>,
  react: (event: RecipeEvent) => void,
): Promise<Result> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    react(next.value);
  }
}

const running = new AbortController().signal;

it('gives what the work gives without a word where the endpoint answers', async () => {
  const said: RecipeEvent[] = [];
  const events = waitFor(Promise.resolve(7), new HandledEndpoint(), running);
  expect(await collect(events, (event) => said.push(event))).toBe(7);
  expect(said).toEqual([]);
});

it('pauses with the reason, goes on when the endpoint is back, and may pause again', async () => {
  const endpoint = new HandledEndpoint();
  endpoint.tell('down');
  const said: RecipeEvent[] = [];
  let finish: (value: number) => void = () => undefined;
  const work = new Promise<number>((resolve) => (finish = resolve));
  const turns = [() => endpoint.tell(null), () => endpoint.tell('limited'), () => finish(7)];
  const result = await collect(waitFor(work, endpoint, running), (event) => {
    said.push(event);
    const turn = turns.shift();
    setTimeout(() => turn?.(), 0);
  });
  expect(result).toBe(7);
  expect(said).toEqual([
    { kind: 'pause:began', reason: 'down' },
    { kind: 'pause:ended' },
    { kind: 'pause:began', reason: 'limited' },
    { kind: 'pause:ended' },
  ]);
});

it('gives null where the run is stopped meanwhile, and throws what the work throws otherwise', async () => {
  const failing = () => Promise.reject(new Error('refused'));
  await expect(collect(waitFor(failing(), new HandledEndpoint(), running), () => undefined)).rejects.toThrow(
    'refused',
  );
  const stopped = waitFor(failing(), new HandledEndpoint(), AbortSignal.abort());
  expect(await collect(stopped, () => undefined)).toBeNull();
});
