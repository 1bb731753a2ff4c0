import { CodeVersion } from '@/contract/code-version';
import type { CheckpointFile } from '@/contract/checkpoint';
import type { EvaluationResult } from '@/contract/evaluation';
import { listCheckpoints } from '../checkpoints/queries';
import type { Database } from '../database';
import { listEvaluations } from '../evaluations/queries';

/** A task of a list, in the order in which the run first played it. */
export interface ListedTask {
  taskId: string;
  taskType: string;
}

/** The tasks that a run's evaluations played of a split. */
export interface TaskList {
  split: string;
  /** Hashes of the whole lists that its evaluations state: one, unless evaluations were of different sizes. */
  splitHashes: string[];
  /** Tasks that its largest evaluation counts; fewer are listed where records of some are not there. */
  evaluated: number;
  tasks: ListedTask[];
}

export interface AttemptRecord {
  attempt: number;
  workerId: string;
  claimedAt: string;
  resumedFromStep: number | null;
  /** Null where the worker did not say. */
  code: CodeVersion | null;
}

export interface CheckpointSummary {
  step: number;
  attempt: number;
  parentStep: number | null;
  complete: boolean;
  files: CheckpointFile[];
}

/** The tries at a run, the first first. */
export async function attemptRecords(database: Database, runId: string): Promise<AttemptRecord[]> {
  const rows = await database.prisma.attempt.findMany({ where: { runId }, orderBy: { attempt: 'asc' } });
  return rows.map(({ attempt, workerId, claimedAt, resumedFromStep, code }) => ({
    attempt,
    workerId,
    claimedAt: claimedAt.toISOString(),
    resumedFromStep,
    code: code === null ? null : CodeVersion.parse(code),
  }));
}

/** A run's checkpoints by step, with the hash of each file. */
export async function checkpointSummaries(database: Database, runId: string): Promise<CheckpointSummary[]> {
  const rows = await listCheckpoints(database, runId);
  return rows
    .map(({ step, attempt, parentStep, complete, files }) => ({ step, attempt, parentStep, complete, files }))
    .reverse();
}

/** A run's evaluations that no newer attempt has repeated. */
export async function currentEvaluations(database: Database, runId: string): Promise<EvaluationResult[]> {
  const rows = await listEvaluations(database, runId);
  return rows.filter(({ current }) => current).map(({ evaluation }) => evaluation);
}

/** The tasks of a run's evaluations, a list a split. */
export async function taskLists(
  database: Database,
  runId: string,
  evaluations: readonly EvaluationResult[],
): Promise<TaskList[]> {
  const { rows } = await database.pool.query<ListedTask & { split: string }>(
    `SELECT "split", "taskId", "taskType" FROM "Trajectory" WHERE "runId" = $1 AND "phase" = 'eval'
     GROUP BY "split", "taskId", "taskType" ORDER BY min("id")`,
    [runId],
  );
  const splits = [...new Set(evaluations.map(({ split }) => split))];
  return splits.map((split) => {
    const own = evaluations.filter((each) => each.split === split);
    return {
      split,
      splitHashes: [...new Set(own.map(({ splitHash }) => splitHash))],
      evaluated: Math.max(...own.map(({ n }) => n)),
      tasks: rows
        .filter((each) => each.split === split)
        .map(({ taskId, taskType }) => ({ taskId, taskType })),
    };
  });
}
