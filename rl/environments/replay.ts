import type { z } from 'zod';
import { AppError } from '@/contract/errors';

/** A value that an environment and a transcript recorded from upstream disagree on. */
export interface Mismatch {
  /** `reset`, or the index of the recorded step. */
  at: 'reset' | number;
  what: string;
  /** What upstream said, as JSON. */
  expected: string;
  /** What the environment says, as JSON. */
  actual: string;
}

/** What came of replaying one recorded episode. */
export interface Replay {
  /** Names the episode: `babyai/GoToLocalS8N7/3`. */
  episode: string;
  /** Upstream's own error where it failed to start the episode, so that there is nothing to compare; else null. */
  skipped: string | null;
  turns: number;
  /** Values compared. */
  compared: number;
  mismatches: Mismatch[];
}

/** Replays one record of a transcript file. Throws AppError where it is no transcript of the environment. */
export type Replayer = (record: unknown) => Replay | Promise<Replay>;

/** The replay of an episode that upstream failed to start. */
export function skippedReplay(episode: string, error: string): Replay {
  return { episode, skipped: error, turns: 0, compared: 0, mismatches: [] };
}

/** Compares, value by value, what an environment says with what was recorded. */
export class Comparison {
  private compared = 0;
  private readonly mismatches: Mismatch[] = [];

  constructor(private readonly episode: string) {}

  /** Values are equal where their JSON is. */
  check(at: Mismatch['at'], what: string, actual: unknown, recorded: unknown): void {
    this.compared++;
    const [said, expected] = [JSON.stringify(actual), JSON.stringify(recorded)];
    if (said !== expected) this.mismatches.push({ at, what, expected, actual: said });
  }

  result(turns: number): Replay {
    const { episode, compared, mismatches } = this;
    return { episode, skipped: null, turns, compared, mismatches };
  }
}

/** A record of a transcript file. Throws AppError with an issue for each wrong field; `kind` names what was expected. */
export function parseRecord<Schema extends z.ZodType>(
  schema: Schema,
  kind: string,
  record: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const said = issues.map(({ path, message }) => `${path || 'record'}: ${message}`).join('; ');
  throw new AppError('invalid_input', `Not a transcript of ${kind}: ${said}`, issues);
}
