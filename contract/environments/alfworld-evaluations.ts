import type { Split } from '../trajectory';

/** How a published run evaluated on ALFWorld; only what its source states. */
export interface PublishedEvaluation {
  title: string;
  splits: readonly { split: Split; tasks: number }[];
  maxTurns: number;
  temperature: number;
  /** Null where the source does not state it. */
  topP: number | null;
  topK: number | null;
  /** One evaluation for each; a count alone where the source does not name the seeds. */
  seeds: { count: number; values: readonly number[] | null };
}

/** The settings of the published evaluations, by run. */
export const PUBLISHED_EVALUATIONS = {
  strata: {
    title: 'StraTA: valid_seen, 2 seeds',
    splits: [{ split: 'valid_seen', tasks: 140 }],
    maxTurns: 50,
    temperature: 0.7,
    topP: 0.8,
    topK: 20,
    seeds: { count: 2, values: null },
  },
  'agentic-rl-lab': {
    title: 'agentic-rl-lab: valid_seen and valid_unseen, seed 42',
    splits: [
      { split: 'valid_seen', tasks: 140 },
      { split: 'valid_unseen', tasks: 134 },
    ],
    maxTurns: 50,
    temperature: 0.01,
    topP: null,
    topK: null,
    seeds: { count: 1, values: [42] },
  },
} as const satisfies Record<string, PublishedEvaluation>;
