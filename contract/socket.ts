import { z } from 'zod';
import { CodeVersion } from './code-version';
import { MAX_INTEGER, RunId } from './bounds';
import { Sha256, type CheckpointFile, type CheckpointReference } from './checkpoint';
import type { StoredCommand } from './play';
import type { PublishedEvent } from './run-events';
import { StampedEvent } from './run-events';
import type { RunStatus } from './run';
import type { ErrorBody } from './errors';
import { WorkerReport } from './worker-report';

/** Every request is acknowledged with what was asked for or with why not. */
export type Answer<T> = { ok: true; value: T } | ({ ok: false } & ErrorBody);
export type Acknowledge<T> = (answer: Answer<T>) => void;

// Browsers, namespace `/`.

export const WatchRun = z.object({
  runId: RunId,
  /** Position of the last event the browser has; events after it are sent. */
  afterPosition: z.int().nonnegative(),
});
export type WatchRun = z.infer<typeof WatchRun>;

/** More missed events than this are not sent one by one: the browser fetches the view again. */
export const MAX_REPLAYED_EVENTS = 1000;

export type WatchedRun = { kind: 'events'; events: PublishedEvent[] } | { kind: 'refetch' };

export interface BrowserToServer {
  /** Joins the run's room, then answers with what was missed. */
  'run:watch': (request: WatchRun, acknowledge: Acknowledge<WatchedRun>) => void;
  'run:unwatch': (request: { runId: string }) => void;
  /** Joins the room of the list of runs. */
  'runs:watch': (acknowledge: Acknowledge<null>) => void;
}

export interface ServerToBrowser {
  'run:events': (message: { runId: string; events: PublishedEvent[] }) => void;
  /** Some row of the list changed: a status, a step, a new run. */
  'runs:changed': (message: { runId: string }) => void;
  /** The detectors have read what the run said: its alerts and their readings are to be asked for again. */
  'run:analysed': (message: { runId: string }) => void;
  'workers:changed': () => void;
}

// Workers, namespace `/worker`; `auth` of the handshake is `WorkerHandshake`.

export const WorkerCapabilities = z.object({
  engines: z
    .array(z.enum(['onnx', 'tinker', 'none']))
    .min(1)
    .max(100),
  devices: z
    .array(z.enum(['cpu', 'cuda']))
    .min(1)
    .max(100),
  /** Recipes the worker's code has. */
  recipes: z.array(z.string().min(1).max(100)).min(1).max(1000),
  /** Environments it has the data and the code for. */
  environments: z.array(z.string().min(1).max(100)).min(1).max(1000).default(['babyai']),
});
export type WorkerCapabilities = z.infer<typeof WorkerCapabilities>;

export const WorkerHandshake = z.object({
  token: z.string().min(1).max(500),
  protocol: z.int(),
  /** Stable for a worker's folder, so that `worker://` locations stay reachable after a restart. */
  workerId: z.string().regex(/^[a-z0-9][a-z0-9-]{2,63}$/, 'expected 3 to 64 of a-z, 0-9 and -'),
  name: z.string().min(1).max(100),
  capabilities: WorkerCapabilities,
  /** What it says of its machine and its engines when it connects; what another version says otherwise counts as nothing. */
  report: WorkerReport.optional().catch(undefined),
  /** The code that it runs; absent where it does not say. */
  code: CodeVersion.optional().catch(undefined),
});
export type WorkerHandshake = z.infer<typeof WorkerHandshake>;

/** A run as it is handed to a worker. */
export interface ClaimedRun {
  runId: string;
  attempt: number;
  name: string;
  recipe: string;
  preset: string;
  /** The resolved config, parsed again by the worker. */
  config: unknown;
  /** The last complete checkpoint, where an earlier attempt left one. */
  resumeFrom: ResumePoint | null;
  /** Complete checkpoints before it that this worker can reach, the newest first: for where it turns out damaged. */
  olderResumePoints?: ResumePoint[];
  /** The checkpoints of other runs that its config names. */
  checkpoints?: NamedCheckpoint[];
  /** Settings of the lease, in ms. */
  heartbeatMs: number;
  leaseMs: number;
}

export interface ResumePoint {
  step: number;
  files: CheckpointFile[];
  /**
   * `blob` wherever the server has the files, also where this worker once had them: it may still have them, looks
   * first, and fetches what is gone. `worker`: the only copy is on this worker's disk at `path`.
   */
  location: { kind: 'blob' } | { kind: 'worker'; path: string };
}

/** A checkpoint that a run's config names, and where it is; null where its run has no complete one of that step. */
export interface NamedCheckpoint extends CheckpointReference {
  point: ResumePoint | null;
}

export const RunAttempt = z.object({ runId: RunId, attempt: z.int().positive().max(MAX_INTEGER) });
export type RunAttempt = z.infer<typeof RunAttempt>;

export const CommandsAfter = RunAttempt.extend({ after: z.int().nonnegative().max(MAX_INTEGER) });
export type CommandsAfter = z.infer<typeof CommandsAfter>;

export const AppendEvents = RunAttempt.extend({
  /** Ascending seq; events too large for the socket are in a blob of one JSON array. */
  events: z.array(StampedEvent).max(5000),
  blobs: z.array(Sha256).max(100).optional(),
});
export type AppendEvents = z.infer<typeof AppendEvents>;

export interface AppendedEvents {
  /** Every event of this attempt up to this seq is stored. */
  acknowledgedSeq: number;
  /** `superseded`: a newer attempt is claimed or the run was taken away; data is stored, the worker shall end. */
  standing: 'current' | 'superseded';
}

/** What the server wants of the worker that beats. */
export type Control = 'continue' | 'stop' | 'end';

export interface WorkerToServer {
  /** Asks for a run; null when none fits. */
  'run:claim': (acknowledge: Acknowledge<ClaimedRun | null>) => void;
  /** Renews the lease. `end` = the attempt is no longer this worker's. */
  'run:heartbeat': (beat: RunAttempt, acknowledge: Acknowledge<{ control: Control }>) => void;
  /** What the worker says of its machine and its engines now. */
  'worker:report': (report: WorkerReport, acknowledge: Acknowledge<null>) => void;
  'events:append': (batch: AppendEvents, acknowledge: Acknowledge<AppendedEvents>) => void;
  /** What a person has told a play by hand since command `after`, oldest first. */
  'run:commands': (request: CommandsAfter, acknowledge: Acknowledge<StoredCommand[]>) => void;
  /** Which of these attempts are still this worker's, asked after a reconnect. */
  'run:rejoin': (attempts: RunAttempt[], acknowledge: Acknowledge<{ control: Control }[]>) => void;
}

export interface ServerToWorker {
  'run:stop': (message: RunAttempt) => void;
  /** A person told a play by hand something: ask for it. */
  'run:commanded': (message: RunAttempt) => void;
  /** A run was queued: ask for it. */
  'work:available': () => void;
}

/**
 * Status a worker may report; the others are the server's to set. `queued` hands the run back: another attempt goes
 * on from its last complete checkpoint.
 */
export const WORKER_STATUSES: readonly RunStatus[] = [
  'running',
  'paused',
  'queued',
  'finished',
  'failed',
  'stopped',
];
