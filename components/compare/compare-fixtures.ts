import type {
  ComparedCheckpoint,
  ComparedEvaluation,
  ComparedTrajectory,
  Comparison,
} from '@/contract/compare';
import type { EvaluationResult } from '@/contract/evaluation';
import { anEvaluation } from '@/components/run/fixtures';

/** Full valid values for tests. */

export function aTrajectory(
  taskId: string,
  success: boolean,
  parts: Partial<ComparedTrajectory> = {},
): ComparedTrajectory {
  return {
    id: `${taskId}/${success}`,
    taskId,
    success,
    turns: 10,
    invalidActions: 1,
    replyTokens: 100,
    stopReason: success ? 'success' : 'turn_limit',
    ...parts,
  };
}

/** An evaluation known by its counts. */
export function counted(
  successes: number,
  n: number,
  parts: Partial<EvaluationResult> = {},
): ComparedEvaluation {
  const evaluation = anEvaluation({ successes, n, byTaskType: [], ...parts });
  return { runId: 'r-0001', evaluation, hidden: {}, trajectories: [] };
}

/** An evaluation with its trajectories, won as given, task by task. */
export function playedOut(
  won: readonly boolean[],
  parts: Partial<EvaluationResult> = {},
): ComparedEvaluation {
  return {
    ...counted(won.filter(Boolean).length, won.length, parts),
    trajectories: won.map((success, task) => aTrajectory(`${parts.split ?? 'valid_seen'}:${task}`, success)),
  };
}

export function aCheckpoint(
  step: number,
  evaluations: ComparedEvaluation[],
  parts: Partial<ComparedCheckpoint> = {},
): ComparedCheckpoint {
  return {
    runId: 'r-0001',
    step,
    runName: 'a run',
    kind: 'training',
    recipe: 'grpo',
    seed: 1,
    configHash: 'c0ffee',
    evaluations,
    ...parts,
  };
}

export function aComparison(checkpoints: ComparedCheckpoint[]): Comparison {
  const taskIds = new Set(
    checkpoints.flatMap(({ evaluations }) =>
      evaluations.flatMap(({ trajectories }) => trajectories.map(({ taskId }) => taskId)),
    ),
  );
  return {
    checkpoints,
    tasks: [...taskIds].map((taskId, index) => ({
      taskId,
      taskType: index % 2 === 0 ? 'Open' : 'GoTo',
      goal: `goal of ${taskId}`,
    })),
  };
}

/** The published counts of the agentic-rl-lab run: base, step 40 and step 80 on both splits. */
export function agenticRlLab(): Comparison {
  const both = (seen: number, unseen: number) => [
    counted(seen, 140, { split: 'valid_seen' }),
    counted(unseen, 134, { split: 'valid_unseen' }),
  ];
  return aComparison([
    aCheckpoint(0, both(74, 71)),
    aCheckpoint(40, both(80, 70)),
    aCheckpoint(80, both(77, 79)),
  ]);
}
