import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { AppError } from '@/contract/errors';
import type { Replay } from '@/rl/environments/babyai/transcript';

/** What came of one file. */
export interface FileReplay {
  episodes: number;
  steps: number;
  checks: number;
  /** Skipped episodes by level. */
  skipped: Map<string, number>;
  mismatches: { line: number; at: 'reset' | number; what: string; expected: string; actual: string }[];
}

/**
 * Replays a file of one JSON transcript a line. Throws where the file cannot be read and where a line is malformed,
 * naming file and line.
 */
export async function replayFile(path: string, replay: (record: unknown) => Replay): Promise<FileReplay> {
  const result: FileReplay = { episodes: 0, steps: 0, checks: 0, skipped: new Map(), mismatches: [] };
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    line++;
    if (text.trim() === '') continue;
    add(result, line, replayLine(path, line, text, replay));
  }
  if (line === 0) throw new AppError('invalid_input', `${path} is empty`);
  return result;
}

function replayLine(path: string, line: number, text: string, replay: (record: unknown) => Replay): Replay {
  try {
    return replay(JSON.parse(text));
  } catch (cause) {
    const issues = cause instanceof AppError ? cause.issues : [];
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${path}:${line}: ${said}`, issues, { cause });
  }
}

function add(result: FileReplay, line: number, replay: Replay): void {
  if (replay.skipped !== null) {
    result.skipped.set(replay.skipped, (result.skipped.get(replay.skipped) ?? 0) + 1);
    return;
  }
  result.episodes++;
  result.steps += replay.steps;
  result.checks += replay.checks;
  for (const mismatch of replay.mismatches) result.mismatches.push({ line, ...mismatch });
}
