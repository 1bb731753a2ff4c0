import { z } from 'zod';
import type { RunRow } from './api';
import { lookupText, queryInteger, RunId } from './bounds';
import type { TokenPrices } from './cost';
import { RUN_KINDS, RUN_STATUSES, type RunStatus } from './run';

/** What a list of runs can be ordered by. */
export const RUN_SORTS = ['newest', 'name', 'step', 'reward', 'last', 'best', 'started', 'duration'] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** Most runs that one `GET /runs` asks for. */
export const MAX_RUNS = 500;

/** Which runs: filters that all hold. */
export const RunSelection = z.object({
  /** Words that all occur in id, name, kind, recipe, preset, environment, seed or worker. */
  text: lookupText(200).optional(),
  /** Any of these, with commas between. */
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(RUN_STATUSES)).max(RUN_STATUSES.length))
    .optional(),
  kind: z.enum(RUN_KINDS).optional(),
  recipe: lookupText(100).optional(),
  environment: lookupText(100).optional(),
});
export type RunSelection = z.infer<typeof RunSelection>;

/** `GET /runs`. Runs without a value in the order come last in either direction. */
export const RunsQuery = RunSelection.extend({
  sort: z.enum(RUN_SORTS).default('newest'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  limit: queryInteger(1, MAX_RUNS).default(200),
  /** `cursor` of the last row of the page before; absent: the first page. */
  after: z
    .string()
    .max(400)
    .regex(/^\d{1,10}_[^\0]*$/, 'expected the `cursor` of a row')
    .optional(),
  /** Of these runs alone. */
  id: z.array(RunId).max(MAX_RUNS).optional(),
});
export type RunsQuery = z.infer<typeof RunsQuery>;

/** A row of the list with what only lists show. */
export interface ListedRun extends RunRow {
  environment: string | null;
  /** What the run's series of tokens add up to, over all attempts. */
  tokens: Record<string, number>;
  /** Of its config; null where it has none. */
  prices: TokenPrices | null;
  /** Its place in the order that was asked for. */
  cursor: string;
}

/** `GET /runs/summary`: how many runs there are, by what they can be filtered by. */
export interface RunsSummary {
  /** Runs that match all filters, and all runs there are. */
  matching: number;
  total: number;
  /** Runs that match the other filters, by status. */
  statuses: Partial<Record<RunStatus, number>>;
  /** Of all runs, by name. */
  recipes: string[];
  environments: string[];
}
