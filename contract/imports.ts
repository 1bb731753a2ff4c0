import { z } from 'zod';
import type { ErrorCode } from './errors';

/** What an import can be read from, by the name that `--format` takes. */
export const IMPORT_FORMATS = {
  'verl-csv': 'Metrics, a column each (verl, CSV)',
  'verl-console': 'Console lines (verl, step:N - name:value)',
  'verl-jsonl': 'Metrics, a step a line (verl, JSON lines)',
  'verl-rollouts': 'Samples of a step, N.jsonl (verl)',
  'agentgym-trajectories': 'Conversations, one a line (AgentGym)',
  'agentgym-executor': 'Executor log (AgentGym-RL)',
  inspect: 'Evaluation log (Inspect)',
  'stepscope-events': 'Events of npm run train',
  'lm-eval': 'Results (lm-evaluation-harness)',
  published: 'Figures stated in a text',
} as const;
export type ImportFormat = keyof typeof IMPORT_FORMATS;
// The keys of a constant object are its type's keys.
export const ImportFormatName = z.enum(Object.keys(IMPORT_FORMATS) as [ImportFormat, ...ImportFormat[]]);

export interface ImportCounts {
  points: number;
  trajectories: number;
  evaluations: number;
  capabilities: number;
}

/** A line or record that was not read, and why. */
export interface SkippedPart {
  file: string;
  /** From 1; null where the part is no line. */
  line: number | null;
  reason: string;
}

/** Why nothing of a file was stored. */
export interface ImportRefusal {
  code: ErrorCode;
  message: string;
}

/** `GET /imports`: one file or folder that was read, newest first. */
export interface ImportRow {
  id: number;
  path: string;
  format: ImportFormat | null;
  bytes: number;
  /** `broken`: its process ended in the middle, as `refusal` says. */
  state: 'storing' | 'imported' | 'refused' | 'broken';
  runId: string | null;
  runName: string | null;
  counts: ImportCounts;
  /** The first of them. */
  skipped: SkippedPart[];
  skippedCount: number;
  refusal: ImportRefusal | null;
  createdAt: number;
}

/** `POST /imports?name=FILE`, the file as body: what came of it. `already`: the same content was imported before. */
export interface UploadedImport {
  state: 'imported' | 'already' | 'refused';
  runId: string | null;
  counts: ImportCounts;
  skippedCount: number;
  refusal: ImportRefusal | null;
}
