import type { SeriesSum } from '@/contract/api';
import {
  costOf,
  priceOf,
  TOKEN_KINDS,
  TOKEN_PHASES,
  tokenSeries,
  totalTokens,
  type ByTokenKind,
  type ByTokenPhase,
  type TokenKind,
  type TokenPhase,
  type TokenPrices,
} from '@/contract/cost';
import type { RunView } from '@/contract/run-view';

/** Series that a bill is made from. */
export const BILLED_SERIES: readonly string[] = TOKEN_PHASES.flatMap((phase) =>
  TOKEN_KINDS.map((kind) => tokenSeries(phase, kind)),
);

export interface BillRow {
  kind: TokenKind;
  /** Tokens. */
  byPhase: ByTokenPhase<number | null>;
  total: number | null;
  /** Of a million; null where no prices are set. */
  price: number | null;
  cost: number | null;
}

/** What a run has used to its newest step, in all attempts; null where a figure is not known. */
export interface CostBill {
  rows: BillRow[];
  costByPhase: ByTokenPhase<number | null>;
  cost: number | null;
  reuseSaved: number | null;
  /** Reused prompt tokens over all prompt tokens; null where there are none or it is not known. */
  reusedShare: number | null;
  /** Phases whose engine did not say what it reused: whole prompts count as prefilled there. */
  reuseUnsaid: TokenPhase[];
  /** Phases that have been and were not counted. */
  uncounted: TokenPhase[];
  /** Tokens of steps that a newer attempt has repeated. */
  repeatedTokens: number;
}

/** How far a run has come: its steps, and whether anything was evaluated. */
type Reached = Pick<RunView, 'step'> & { evaluations: Readonly<Record<string, unknown>> };

/** The bill of a run from the sums of `BILLED_SERIES`, at its prices where it has some. */
export function costBill(sums: readonly SeriesSum[], view: Reached, prices: TokenPrices | null): CostBill {
  const used: ByTokenPhase<ByTokenKind> = {
    training: tokensOf('training', sums, view),
    evaluation: tokensOf('evaluation', sums, view),
    probe: tokensOf('probe', sums, view),
  };
  const all = totalTokens(used);
  const cost = prices && costOf(all, prices);
  const costOfPhase = (phase: TokenPhase) => prices && costOf(used[phase], prices).total;
  return {
    rows: TOKEN_KINDS.map((kind) => ({
      kind,
      byPhase: byPhase((phase) => used[phase][kind]),
      total: all[kind],
      price: prices && priceOf(kind, prices),
      cost: cost && cost.byKind[kind],
    })),
    costByPhase: byPhase(costOfPhase),
    cost: cost && cost.total,
    reuseSaved: cost && cost.reuseSaved,
    reusedShare: reusedShareOf(all),
    reuseUnsaid: TOKEN_PHASES.filter(
      (phase) => used[phase].prefilled !== null && used[phase].reused === null,
    ),
    uncounted: TOKEN_PHASES.filter((phase) => used[phase].prefilled === null),
    repeatedTokens: sums.reduce((sum, { overwritten }) => sum + overwritten, 0),
  };
}

/** Evaluations and probes train no tokens. A phase that has not been yet has used none. */
function tokensOf(
  phase: TokenPhase,
  sums: readonly SeriesSum[],
  { step, evaluations }: Reached,
): ByTokenKind {
  const hasBegun = phase === 'training' ? step > 0 : Object.keys(evaluations).length > 0;
  return byKind((kind) => {
    if (kind === 'trained' && phase !== 'training') return 0;
    const found = sums.find(({ name }) => name === tokenSeries(phase, kind));
    if (found && found.count > 0) return found.sum;
    return hasBegun ? null : 0;
  });
}

function byKind(of: (kind: TokenKind) => number | null): ByTokenKind {
  return {
    prefilled: of('prefilled'),
    reused: of('reused'),
    sampled: of('sampled'),
    trained: of('trained'),
  };
}

function byPhase(of: (phase: TokenPhase) => number | null): ByTokenPhase<number | null> {
  return { training: of('training'), evaluation: of('evaluation'), probe: of('probe') };
}

function reusedShareOf({ prefilled, reused }: ByTokenKind): number | null {
  return prefilled === null || reused === null || prefilled + reused === 0
    ? null
    : reused / (prefilled + reused);
}
