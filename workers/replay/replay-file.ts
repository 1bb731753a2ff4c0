import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '@/contract/errors';
import type { Mismatch, Replay, Replayer } from '@/rl/environments/replay';
import { linesOf } from './lines-of';

/** A mismatch with the line of its record and the name of its episode. */
export interface PlacedMismatch extends Mismatch {
  line: number;
  episode: string;
}

/** What came of one file. */
export interface FileReplay {
  episodes: number;
  turns: number;
  /** Values compared. */
  compared: number;
  /** Episodes upstream failed to start, with its errors. */
  skipped: { line: number; episode: string; error: string }[];
  mismatches: PlacedMismatch[];
}

/**
 * Replays a file of one JSON transcript a line. Throws where the file cannot be read and where a line is malformed,
 * naming file and line.
 */
export async function replayFile(path: string, replay: Replayer): Promise<FileReplay> {
  await requireFile(path);
  const result: FileReplay = { episodes: 0, turns: 0, compared: 0, skipped: [], mismatches: [] };
  let line = 0;
  for await (const text of linesOf(path)) {
    line++;
    if (text.trim() !== '') add(result, line, await replayLine(path, line, text, replay));
  }
  if (result.episodes + result.skipped.length === 0) {
    throw new AppError('invalid_input', `${path} holds no transcript`);
  }
  return result;
}

async function requireFile(path: string): Promise<void> {
  const stats = await stat(path).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${resolve(path)} cannot be read: ${said}`, [], { cause });
  });
  if (stats.isDirectory())
    throw new AppError('invalid_input', `${resolve(path)} is a folder; name its files`);
}

async function replayLine(path: string, line: number, text: string, replay: Replayer): Promise<Replay> {
  try {
    return await replay(JSON.parse(text));
  } catch (cause) {
    const issues = cause instanceof AppError ? cause.issues : [];
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${path}:${line}: ${said}`, issues, { cause });
  }
}

function add(result: FileReplay, line: number, { episode, ...replay }: Replay): void {
  if (replay.skipped !== null) {
    result.skipped.push({ line, episode, error: replay.skipped });
    return;
  }
  result.episodes++;
  result.turns += replay.turns;
  result.compared += replay.compared;
  for (const mismatch of replay.mismatches) result.mismatches.push({ line, episode, ...mismatch });
}
