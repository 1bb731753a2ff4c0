import { AppError } from '@/contract/errors';

/** The parts of an attempt that can fail; a failed run's reason begins with one. */
export type Stage = 'config' | 'engine' | 'checkpoint' | 'recipe' | 'outbox';

/** An error with the stage in which it happened. */
export class StageError extends Error {
  override readonly name = 'StageError';
  constructor(
    readonly stage: Stage,
    override readonly cause: unknown,
  ) {
    super(`${stage}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs `action`; what it throws is labelled with `stage`, unless an inner stage has labelled it. */
export async function inStage<T>(stage: Stage, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof StageError ? error : new StageError(stage, error);
  }
}

/** The whole of an error for the run's log: its stack and those of its causes. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error instanceof StageError ? error.cause : error;
  while (current !== undefined && current !== null && parts.length < 5) {
    parts.push(describeOne(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('\ncaused by ');
}

function describeOne(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const issues =
    error instanceof AppError
      ? error.issues.map(({ path, message }) => `\n  ${path}: ${message}`).join('')
      : '';
  return `${error.stack ?? error.message}${issues}`;
}
