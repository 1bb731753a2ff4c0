/** What AgentGym's servers have in common: environments by id, and errors that come as answers. */
import { z } from 'zod';

/** A route: what its body or query must hold, and its answer. An error that it throws is answered as such. */
export interface ServedRoute {
  input: z.ZodType;
  answer(input: unknown): unknown;
}

/** All that a server serves, by method and path: `POST /step`. */
export interface ServedWorld {
  routes: Readonly<Record<string, ServedRoute>>;
  /** Ids that were given out and not given back. */
  readonly openIds: readonly number[];
}

export function route<Input>(input: z.ZodType<Input>, answer: (input: Input) => unknown): ServedRoute {
  return { input, answer: (value) => answer(input.parse(value)) };
}

export const IdInput = z.object({ id: z.int() });
export const StepInput = z.object({ id: z.int(), action: z.string() });

/** Environments by id. Ids are never used again. */
export class IdTable<State extends { done: boolean }> {
  private readonly states = new Map<number, State | null>();
  private readonly deleted = new Set<number>();

  create(): { id: number } {
    const id = this.states.size;
    this.states.set(id, null);
    return { id };
  }

  get openIds(): number[] {
    return [...this.states.keys()].filter((id) => !this.deleted.has(id));
  }

  /** Throws where nothing may be reset under the id. */
  requireOpen(id: number): void {
    if (!this.states.has(id)) throw new Error(`The id ${id} is not valid.`);
    if (this.deleted.has(id)) throw new Error(`The task with environment ${id} has been deleted.`);
  }

  set(id: number, state: State): void {
    this.states.set(id, state);
  }

  /** Null where the environment was not reset yet. */
  get(id: number): State | null {
    this.requireOpen(id);
    const state = this.states.get(id) ?? null;
    if (state?.done) throw new Error(`The task with environment ${id} has finished.`);
    return state;
  }

  delete(id: number): boolean {
    if (!this.states.has(id) || this.deleted.has(id)) return false;
    this.deleted.add(id);
    this.states.set(id, null);
    return true;
  }
}
