import type { DetectorId, Finding } from '@/contract/alert';
import type { EvaluationResult } from '@/contract/evaluation';
import type { TrajectoryMarks } from '@/contract/failure-cluster';
import type { PublishedPayload, TrajectorySummary } from '@/contract/run-events';
import { detectAll } from '../detect';
import { RunFacts } from '../run-facts';

/** Values of series by step: `{ 'actor/entropy': { 0: 0.4 } }`. */
export type Curves = Record<string, Record<number, number>>;

/** Values at steps 1, 2, 3... */
export function bySteps(values: readonly number[], first = 1): Record<number, number> {
  return Object.fromEntries(values.map((value, index) => [first + index, value]));
}

export const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

/** Values that go from one to another in equal steps, both included. */
export function ramp(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}

export interface SpecimenTrajectory {
  summary?: Partial<TrajectorySummary>;
  marks?: Partial<TrajectoryMarks>;
}

const SUMMARY: TrajectorySummary = {
  id: 't',
  step: 0,
  phase: 'eval',
  split: 'valid_seen',
  taskId: 'task',
  taskType: 'type',
  goal: 'go',
  group: null,
  sample: 0,
  decoding: 'sampled',
  evaluation: null,
  seed: 1,
  reward: 0,
  shapedReward: null,
  advantage: null,
  success: false,
  turnsCount: 10,
  givenTurns: 0,
  invalidActions: 0,
  promptTokens: 0,
  replyTokens: 0,
  prefilledTokens: null,
  trainedTokens: null,
  stopReason: 'turn_limit',
  flags: [],
  error: null,
};

/** A lost trajectory of an evaluation of the step. */
export function aSummary(step: number): TrajectorySummary {
  return { ...SUMMARY, step };
}

const MARKS: TrajectoryMarks = {
  turns: 10,
  malformed: 0,
  ungrounded: 0,
  firstUngrounded: null,
  noneAvailable: null,
  loop: null,
  completedEarly: null,
  completed: false,
  failureMode: null,
  firstBadTurn: null,
};

const EVALUATION: EvaluationResult = {
  checkpoint: null,
  step: 0,
  policy: 'checkpoint',
  split: 'valid_seen',
  splitHash: 'hash',
  environment: 'alfworld',
  environmentVersion: '1',
  environmentOptions: {},
  scaffold: 'react',
  decoding: 'sampled',
  temperature: 1,
  topK: 0,
  topP: 1,
  maxTurns: 50,
  maxReplyTokens: null,
  maxPromptTokens: null,
  seed: 42,
  n: 140,
  successes: 0,
  invalidActions: null,
  turns: null,
  rewardMean: null,
  byTaskType: [],
  errors: null,
  truncated: null,
  seconds: null,
};

/** A finished run of which these are the points, trajectories and evaluations. */
export function factsOf({
  curves = {},
  trajectories = [],
  evaluations = [],
  events = [],
}: {
  curves?: Curves;
  trajectories?: readonly SpecimenTrajectory[];
  evaluations?: readonly Partial<EvaluationResult>[];
  events?: readonly PublishedPayload[];
}): RunFacts {
  const facts = new RunFacts();
  for (const [name, values] of Object.entries(curves))
    for (const [step, value] of Object.entries(values))
      facts.add({ kind: 'points:measured', step: Number(step), points: [{ name, value }] }, 1, () => null);
  trajectories.forEach(({ summary, marks }, index) =>
    facts.add(
      { kind: 'trajectory:finished', trajectory: { ...SUMMARY, id: `t-${index}`, ...summary } },
      1,
      () => ({ ...MARKS, ...marks }),
    ),
  );
  for (const evaluation of evaluations)
    facts.add({ kind: 'evaluation:finished', evaluation: { ...EVALUATION, ...evaluation } }, 1, () => null);
  for (const event of events) facts.add(event, 1, () => null);
  facts.add(
    { kind: 'status:changed', status: 'finished', reason: null, resumedFromStep: null },
    1,
    () => null,
  );
  return facts;
}

/** What one detector finds. */
export function findingsBy(detector: DetectorId, facts: RunFacts): Finding[] {
  return detectAll(facts).find((report) => report.detector === detector)?.findings ?? [];
}
