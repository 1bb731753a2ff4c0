import { z } from 'zod';

export const RUN_STATUSES = [
  'queued',
  'starting',
  'running',
  'paused',
  'stopping',
  'finished',
  'failed',
  'stopped',
  'lost',
] as const;
export const RunStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatus>;

export const RUN_KINDS = ['training', 'evaluation', 'import'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** Nothing more will come, unless somebody resumes it. */
export function isFinalStatus(status: RunStatus): boolean {
  return status === 'finished' || status === 'failed' || status === 'stopped';
}

/** A worker holds it and is expected to beat. */
export const HELD_STATUSES: readonly RunStatus[] = ['starting', 'running', 'paused', 'stopping'];

export function isHeldStatus(status: RunStatus): boolean {
  return HELD_STATUSES.includes(status);
}

export function canStop(status: RunStatus): boolean {
  return !isFinalStatus(status) && status !== 'stopping';
}

/** The statuses each status may change to. */
const NEXT_STATUSES: Record<RunStatus, readonly RunStatus[]> = {
  /** The last three: its worker came back before another claimed it. */
  queued: ['starting', 'stopped', 'running', 'finished', 'failed'],
  starting: ['running', 'stopping', 'finished', 'failed', 'stopped', 'lost', 'queued'],
  running: ['paused', 'stopping', 'finished', 'failed', 'stopped', 'lost', 'queued'],
  paused: ['running', 'stopping', 'finished', 'failed', 'stopped', 'lost', 'queued'],
  stopping: ['stopped', 'finished', 'failed', 'lost'],
  lost: ['running', 'stopping', 'queued', 'failed', 'stopped', 'finished'],
  finished: [],
  failed: ['queued'],
  stopped: ['queued'],
};

export function canChangeStatus(from: RunStatus, to: RunStatus): boolean {
  return from === to || NEXT_STATUSES[from].includes(to);
}
