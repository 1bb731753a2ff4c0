import type { PublishedEvent, PublishedPayload, WireNumber } from './run-events';
import { isFinalStatus, type RunStatus } from './run';
import type { EvaluationResult } from './evaluation';
import type { ContinuationTable } from './continuation-table';
import type { JudgeTable } from './judge-table';

export const RUN_VIEW_LOG_LINES = 200;
export const RUN_VIEW_JUDGE_TABLES = 20;
const RUN_VIEW_CONTINUATIONS = 20;
const STEP_TIMES_KEPT = 20;

export interface LogLine {
  position: number;
  at: number;
  attempt: number;
  level: 'info' | 'warn' | 'error';
  message: string;
}

/** What a worker is at within a step, and how far. */
export interface Activity {
  name: string;
  done: number;
  of: number;
}

/** A run as a screen knows it: bounded, equal for server, browser and test because all fold the same events. */
export interface RunView {
  runId: string;
  /** Of the last event folded in; 0 = none. */
  position: number;
  status: RunStatus;
  reason: string | null;
  /** No worker holds it: it goes on once a person continues it. Views of older versions lack it. */
  awaitsPerson?: boolean;
  /** Newest attempt heard of; 0 = not started. */
  attempt: number;
  resumedFromStep: number | null;
  /** Last finished step of the newest attempt. */
  step: number;
  steps: number | null;
  activity: Activity | null;
  /** Newest value of each series. */
  latest: Record<string, { step: number; value: WireNumber }>;
  /** Newest evaluation of each policy, split and decoding; keyed by `policy/split/decoding`. */
  evaluations: Record<string, EvaluationResult>;
  /** What a judge said, newest attempt, by window of steps, oldest first; the last so many. Views of older versions lack it. */
  judgeTables?: JudgeTable[];
  /** How a teacher went on from its student's replies, newest attempt, oldest first; the last so many. Views of older versions lack it. */
  continuations?: ContinuationTable[];
  trajectories: number;
  checkpoints: { step: number; complete: boolean }[];
  log: LogLine[];
  startedAt: number | null;
  updatedAt: number | null;
  finishedAt: number | null;
  /** When the last steps of the newest attempt finished, oldest first: the source of the ETA. */
  stepTimes: { step: number; at: number }[];
}

export function emptyRunView(runId: string): RunView {
  return {
    runId,
    position: 0,
    status: 'queued',
    reason: null,
    attempt: 0,
    resumedFromStep: null,
    step: 0,
    steps: null,
    activity: null,
    latest: {},
    evaluations: {},
    trajectories: 0,
    checkpoints: [],
    log: [],
    startedAt: null,
    updatedAt: null,
    finishedAt: null,
    stepTimes: [],
  };
}

/**
 * Folds one stored event into a view; pure. An event at or before the view's position changes nothing, so
 * replayed and doubled deliveries are harmless. Data of an old attempt is counted and logged, but neither its
 * status nor its values replace those of a newer attempt.
 */
export function applyRunEvent(view: RunView, published: PublishedEvent): RunView {
  if (published.position <= view.position) return view;
  const current = published.attempt >= view.attempt;
  const next: RunView = {
    ...view,
    position: published.position,
    attempt: Math.max(view.attempt, published.attempt),
    updatedAt: Math.max(view.updatedAt ?? 0, published.at),
  };
  return applyPayload(next, published, current);
}

function applyPayload(
  view: RunView,
  { event, at, attempt, position }: PublishedEvent,
  current: boolean,
): RunView {
  switch (event.kind) {
    case 'status:changed':
      return current ? applyStatus(view, event, at) : view;
    case 'step:finished':
      if (!current) return view;
      return {
        ...view,
        step: event.step,
        steps: event.steps,
        // A step ends with its evaluation, probe and checkpoint: what they last said is over.
        activity: null,
        stepTimes: [
          ...view.stepTimes.filter((time) => time.step < event.step),
          { step: event.step, at },
        ].slice(-STEP_TIMES_KEPT),
      };
    case 'progress:advanced':
      return current ? { ...view, activity: { name: event.activity, done: event.done, of: event.of } } : view;
    case 'points:measured': {
      if (!current) return view;
      const latest = { ...view.latest };
      for (const { name, value } of event.points) latest[name] = { step: event.step, value };
      return { ...view, latest };
    }
    case 'evaluation:finished': {
      const { policy, split, decoding } = event.evaluation;
      const key = `${policy}/${split}/${decoding}`;
      return current ? { ...view, evaluations: { ...view.evaluations, [key]: event.evaluation } } : view;
    }
    case 'judge:tabulated':
      return current ? { ...view, judgeTables: withJudgeTable(view.judgeTables ?? [], event.table) } : view;
    case 'teacher:continued':
      return current
        ? { ...view, continuations: withContinuations(view.continuations ?? [], event.table) }
        : view;
    case 'trajectory:finished':
      return { ...view, trajectories: view.trajectories + 1 };
    case 'log:written':
      return {
        ...view,
        log: [...view.log, { position, at, attempt, level: event.level, message: event.message }].slice(
          -RUN_VIEW_LOG_LINES,
        ),
      };
    case 'checkpoint:saved':
      return withCheckpoint(view, event.checkpoint.step, false);
    case 'checkpoint:completed':
      return withCheckpoint(view, event.step, true);
    default:
      // A kind of a newer version: stored, counted by position, shown by nobody.
      return view;
  }
}

function applyStatus(
  view: RunView,
  event: Extract<PublishedPayload, { kind: 'status:changed' }>,
  at: number,
): RunView {
  const final = isFinalStatus(event.status);
  const starting = event.status === 'starting';
  const resumed = starting || event.resumedFromStep !== null;
  return {
    ...view,
    status: event.status,
    reason: event.reason,
    awaitsPerson: event.awaitsPerson,
    resumedFromStep: resumed ? event.resumedFromStep : view.resumedFromStep,
    step: resumed ? (event.resumedFromStep ?? 0) : view.step,
    stepTimes: starting ? [] : view.stepTimes,
    startedAt: view.startedAt ?? (starting ? at : null),
    finishedAt: final ? at : null,
    activity: final ? null : view.activity,
  };
}

/** Steps that a newer attempt has gone through again are replaced. */
function withContinuations(
  tables: readonly ContinuationTable[],
  table: ContinuationTable,
): ContinuationTable[] {
  return [...tables.filter(({ step }) => step < table.step), table].slice(-RUN_VIEW_CONTINUATIONS);
}

/** Windows that a newer attempt has gone through again are replaced. */
function withJudgeTable(tables: readonly JudgeTable[], table: JudgeTable): JudgeTable[] {
  return [...tables.filter(({ toStep }) => toStep < table.fromStep), table].slice(-RUN_VIEW_JUDGE_TABLES);
}

function withCheckpoint(view: RunView, step: number, complete: boolean): RunView {
  const before = view.checkpoints.find((checkpoint) => checkpoint.step === step);
  const others = view.checkpoints.filter((checkpoint) => checkpoint.step !== step);
  const merged = { step, complete: complete || (before?.complete ?? false) };
  return { ...view, checkpoints: [...others, merged].sort((a, b) => a.step - b.step) };
}

/** The checkpoint that the next attempt goes on from; null where none is complete. */
export function newestCheckpoint(view: RunView): { step: number } | null {
  return view.checkpoints.filter(({ complete }) => complete).at(-1) ?? null;
}

/** Whether a run has ended before its last step, or waits for a person: it may be continued. */
export function isContinuable({ status, awaitsPerson }: RunView): boolean {
  return status === 'stopped' || status === 'failed' || (status === 'paused' && awaitsPerson === true);
}

/** Why a run of so many steps cannot be continued, in words; null where it can. One that goes on from what is stored needs no checkpoint. */
export function continueObstacle(view: RunView, steps: number, needsCheckpoint = true): string | null {
  if (!isContinuable(view)) return `it is ${view.status}`;
  if (!needsCheckpoint) return null;
  const newest = newestCheckpoint(view);
  if (newest === null) return 'none of its checkpoints is complete';
  return newest.step < steps
    ? null
    : `its newest complete checkpoint is of step ${newest.step}, its last: it needs more steps than ${steps}`;
}

/** Seconds until the last step at the pace of the last steps; null unless it runs and two of them are known. */
export function secondsLeft(view: RunView): number | null {
  if (view.status !== 'running') return null;
  const first = view.stepTimes[0];
  const last = view.stepTimes[view.stepTimes.length - 1];
  if (!first || !last || last.step === first.step || view.steps === null) return null;
  const secondsPerStep = (last.at - first.at) / 1000 / (last.step - first.step);
  return Math.max(0, view.steps - last.step) * secondsPerStep;
}

const ACTIVITY_WORDS: Record<string, string> = {
  rollout: 'playing',
  training: 'training',
  evaluation: 'evaluating',
  probe: 'playing the probe',
  checkpoint: 'saving a checkpoint',
  controls: 'measuring the controls',
};

/** `evaluating`, `evaluating 60 of 120`: an activity in words, with a count once something of it is done. */
export function activityWords({ name, done, of }: Activity): string {
  const words = ACTIVITY_WORDS[name] ?? name;
  return done === 0 ? words : `${words} ${done} of ${of}`;
}
