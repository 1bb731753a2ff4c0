import type { FieldIssue } from '@/contract/errors';
import { splitSizesOf } from '@/contract/environments/registry';
import { toFieldIssues } from '@/contract/parse';
import { CheckpointEvaluationConfig, evaluationUnits } from '@/contract/recipes/checkpoint-evaluation';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { evaluationConfigOf, type EvaluationRequest } from '@/contract/requested-evaluation';
import { SPLITS, type Split } from '@/contract/trajectory';

const DECODINGS = ['greedy', 'sampled'] as const;
export type Decoding = (typeof DECODINGS)[number];

/** What the dialog holds, as typed. */
export interface EvaluateDraft {
  /** Steps of the checkpoints, ascending; 0 = the untrained model. */
  steps: readonly number[];
  /** Tasks of each split; empty = not played. */
  tasks: Record<Split, string>;
  decodings: Record<Decoding, boolean>;
  /** With commas between. */
  seeds: string;
  temperature: string;
  topP: string;
  topK: string;
  maxTurns: string;
  maxReplyTokens: string;
}

/** Fields that a message can stand at. */
export type DraftField = Exclude<keyof EvaluateDraft, 'tasks'> | Split;

export interface ReadDraft {
  request: EvaluationRequest;
  issues: Partial<Record<DraftField, string>>;
  /** Trajectories that the evaluation plays; null where the settings make none. */
  trajectories: number | null;
  /** Evaluations that they make up. */
  evaluations: number | null;
}

/** The settings by which a run evaluated itself at its last step. */
export function draftOf(source: RunSettings, runId: string, steps: readonly number[]): EvaluateDraft {
  // One of them stands for all: the others change no setting. Built by the same function as the server's, so that what the dialog shows is what a request without settings asks for.
  const checkpoints = [{ runId, step: steps[0] ?? 0 }];
  const config = CheckpointEvaluationConfig.parse(evaluationConfigOf(source, checkpoints, {}));
  const { evaluation, environment, rollout, seeds } = config;
  const tasksOf = (split: Split) =>
    String(evaluation.splits.find((each) => each.split === split)?.tasks ?? '');
  return {
    steps,
    tasks: {
      train: tasksOf('train'),
      valid_seen: tasksOf('valid_seen'),
      valid_unseen: tasksOf('valid_unseen'),
    },
    decodings: {
      greedy: evaluation.decodings.includes('greedy'),
      sampled: evaluation.decodings.includes('sampled'),
    },
    seeds: seeds.join(', '),
    temperature: String(evaluation.temperature),
    topP: String(evaluation.topP),
    topK: String(evaluation.topK),
    maxTurns: String(environment.maxTurns),
    maxReplyTokens: String(rollout.maxReplyTokens),
  };
}

/** Tasks in the fixed list of each split that the run's environment has. */
export function splitSizes(source: RunSettings): { split: Split; size: number }[] {
  const sizes = splitSizesOf(source.environment);
  return SPLITS.map((split) => ({ split, size: sizes[split] }));
}

/** The request that a draft makes, what is wrong with it, and how much it plays. */
export function readDraft(draft: EvaluateDraft, source: RunSettings, runId: string): ReadDraft {
  const request: EvaluationRequest = {
    steps: [...draft.steps],
    splits: SPLITS.filter((split) => draft.tasks[split].trim() !== '').map((split) => ({
      split,
      tasks: numberOf(draft.tasks[split]),
    })),
    decodings: DECODINGS.filter((decoding) => draft.decodings[decoding]),
    seeds: draft.seeds
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number),
    temperature: numberOf(draft.temperature),
    topP: numberOf(draft.topP),
    topK: numberOf(draft.topK),
    maxTurns: numberOf(draft.maxTurns),
    maxReplyTokens: numberOf(draft.maxReplyTokens),
  };
  const checkpoints = draft.steps.map((step) => ({ runId, step }));
  const parsed = CheckpointEvaluationConfig.safeParse(evaluationConfigOf(source, checkpoints, request));
  if (!parsed.success)
    return {
      request,
      issues: issuesOf(toFieldIssues(parsed.error), request),
      trajectories: null,
      evaluations: null,
    };
  const units = evaluationUnits(parsed.data);
  return {
    request,
    issues: {},
    trajectories: units.reduce((sum, { tasks }) => sum + tasks, 0),
    evaluations: units.length,
  };
}

/** Empty text is no number: it would otherwise read as 0. */
function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

const FIELDS: readonly [RegExp, DraftField][] = [
  [/^checkpoints/, 'steps'],
  [/^seeds/, 'seeds'],
  [/^evaluation\.decodings/, 'decodings'],
  [/^evaluation\.temperature/, 'temperature'],
  [/^evaluation\.topP/, 'topP'],
  [/^evaluation\.topK/, 'topK'],
  [/^environment\.maxTurns/, 'maxTurns'],
  [/^rollout\.maxReplyTokens/, 'maxReplyTokens'],
];

/** Each issue at the field that it is about; the first one of a field counts. */
function issuesOf(issues: readonly FieldIssue[], { splits = [] }: EvaluationRequest): ReadDraft['issues'] {
  const found: ReadDraft['issues'] = {};
  for (const { path, message } of issues) {
    const index = /^evaluation\.splits\.(\d+)/.exec(path)?.[1];
    const split = index === undefined ? undefined : splits[Number(index)]?.split;
    const field = split ?? FIELDS.find(([pattern]) => pattern.test(path))?.[1];
    // What has no field of its own, such as a split that is missing, stands at the first split.
    found[field ?? 'valid_seen'] ??= message;
  }
  return found;
}
