import type { ImportFormat, SkippedPart } from '@/contract/imports';
import { AppError } from '@/contract/errors';
import type { RecipeEvent, RunEvent } from '@/contract/run-events';
import type { Split } from '@/contract/trajectory';

/** A file of a source. */
export interface SourceFile {
  /** As errors and lists name it: relative to what was named. */
  name: string;
  /** Absolute. */
  path: string;
  bytes: number;
}

/** What was named for an import: one file, or a folder whose files belong together. Files are by name. */
export interface ImportSource {
  /** As it was named. */
  path: string;
  isFolder: boolean;
  files: SourceFile[];
}

/** What a person says of a source where its files do not. */
export interface ImportOptions {
  /** Step of the checkpoint that was played or measured; readers are given that of `checkpoint` where one is named. */
  step: number;
  split: Split;
  /** Checkpoint of another run that was played or measured; null = none. */
  checkpoint: { runId: string; step: number } | null;
  /** Of a text that tells of several runs, the one to read; null = the only one. */
  part: string | null;
  /** Whether the measured model is the one that others are read against. */
  isBase: boolean;
}

export const DEFAULT_OPTIONS: ImportOptions = {
  step: 0,
  split: 'valid_seen',
  checkpoint: null,
  part: null,
  isBase: false,
};

/** What a reader is given, and where it tells of what it leaves out. */
export interface ImportContext {
  options: ImportOptions;
  skip(part: SkippedPart): void;
  /** What the source states of its run beside events: kept as the run's config. */
  facts: Record<string, unknown>;
}

/** An event with the place it was read from. A `checkpoint:written` names a folder beside its file. */
export interface ImportedEvent {
  file: string;
  line: number | null;
  /** ms since 1970; null where the source has no clock. */
  at: number | null;
  event: RunEvent | Extract<RecipeEvent, { kind: 'checkpoint:written' }>;
}

/** One format: how it is recognised and read. A reader yields what it reads, in order, and keeps nothing whole that can be long. */
export interface Importer {
  format: ImportFormat;
  /** Whether the source is of this format, by its names and the beginning of its first file. */
  recognises(source: ImportSource, head: string): boolean;
  /** Throws `invalid_input` naming file and line where the source cannot be read. */
  read(source: ImportSource, context: ImportContext): AsyncIterable<ImportedEvent>;
}

/** An `invalid_input` whose message begins with `file:line`. */
export function damaged(file: string, line: number | null, message: string): AppError {
  const place = line === null ? file : `${file}:${line}`;
  return new AppError('invalid_input', `${place}: ${message}`, [{ path: place, message }]);
}

/** The one file of a source of one file. */
export function onlyFile({ path, files }: ImportSource): SourceFile {
  const [file] = files;
  if (!file) throw new AppError('invalid_input', `${path} holds no file`);
  return file;
}
