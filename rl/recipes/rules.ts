import { entropyCollapse, formatCollapse, logprobCollapse, noLearningSignal } from '@/contract/collapse';
import { TOKEN_PHASES, tokenSeries } from '@/contract/cost';
import { formatCount, formatDecimals } from '@/contract/format';
import type { RunRules } from '@/contract/recipes/run-rules';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';
import { sumOf } from '@/rl/learning/moments';

/** Series by which budgets are spent. */
const SPENT = {
  tokens: [
    ...TOKEN_PHASES.flatMap((phase) =>
      (['prefilled', 'sampled', 'trained'] as const).map((kind) => tokenSeries(phase, kind)),
    ),
    'tokens/judge/prefilled',
    'tokens/judge/sampled',
    'tokens/teacher/prefilled',
    'tokens/teacher/sampled',
  ],
  cost: ['cost/total', 'cost/evaluation', 'cost/probe', 'cost/judge', 'cost/teacher'],
  seconds: ['time/rollout', 'time/train', 'time/evaluation'],
};

const WATCHED = {
  format: 'rollout/format_rate',
  logprob: 'actor/sampler_logprob',
  degenerate: 'advantage/degenerate_group_rate',
  trained: 'tokens/trained',
  entropy: 'actor/entropy',
} as const;

/** Every series that a rule looks at. */
export const RULE_SERIES: readonly string[] = [
  ...new Set([...Object.values(SPENT).flat(), ...Object.values(WATCHED)]),
];

/** Earlier points of the run: the values of a series in the order of their steps. */
export type EarlierPoints = ReadonlyMap<string, readonly number[]>;

/** What a rule demands, and why. */
export interface FiredRules {
  action: 'pause' | 'stop';
  reason: string;
}

/** Watches what a run measures, and says when one of its rules fires. Without rules it never does. */
export class RuleWatch {
  private readonly points = new Map<string, number[]>();

  /** `earlier`: what the run measured before this attempt, up to the checkpoint that it goes on from. */
  constructor(
    private readonly rules: RunRules | null,
    earlier: EarlierPoints = new Map(),
  ) {
    for (const [name, values] of earlier) this.points.set(name, [...values]);
  }

  observe(event: RecipeEvent): void {
    if (event.kind !== 'points:measured') return;
    for (const { name, value } of event.points) {
      if (!RULE_SERIES.includes(name)) continue;
      const known = this.points.get(name);
      if (known) known.push(fromWireNumber(value));
      else this.points.set(name, [fromWireNumber(value)]);
    }
  }

  /** Passes events on, having seen them. */
  async *watching(events: AsyncIterable<RecipeEvent>): AsyncGenerator<RecipeEvent> {
    for await (const event of events) {
      this.observe(event);
      yield event;
    }
  }

  /** The rules that fire after a step; null where none does. One that stops outweighs those that pause. */
  fired(): FiredRules | null {
    if (this.rules === null) return null;
    const found = [...this.detected(this.rules), ...this.overspent(this.rules)];
    if (found.length === 0) return null;
    return {
      action: found.some(({ action }) => action === 'stop') ? 'stop' : 'pause',
      reason: found.map(({ reason }) => reason).join('; '),
    };
  }

  private detected(rules: RunRules): FiredRules[] {
    // Both are of every step, so that their points stand side by side.
    const degenerate = this.points.get(WATCHED.degenerate) ?? [];
    const trained = this.points.get(WATCHED.trained) ?? [];
    const signals = trained.map((trainedTokens, index) => ({
      trainedTokens,
      degenerateGroupRate: degenerate[index] ?? NaN,
    }));
    const malformed = this.finite(WATCHED.format).map((rate) => 1 - rate);
    return [
      judged('format collapse', rules.formatCollapse, () => formatCollapse(malformed)),
      judged('log-probability collapse', rules.logprobCollapse, () =>
        logprobCollapse(this.finite(WATCHED.logprob)),
      ),
      judged('no learning signal', rules.noLearningSignal, () =>
        noLearningSignal(signals, rules.noLearningSignalSteps),
      ),
      judged('entropy collapse', rules.entropyCollapse, () => entropyCollapse(this.finite(WATCHED.entropy))),
    ].flat();
  }

  private overspent({ tokenBudget, costBudget, minuteBudget, budgetSpent }: RunRules): FiredRules[] {
    const minutes = this.sum(SPENT.seconds) / 60;
    const spent = [
      overBudget(this.sum(SPENT.tokens), tokenBudget, (value) => `${formatCount(value)} tokens`),
      overBudget(this.sum(SPENT.cost), costBudget, (value) => `a cost of ${formatDecimals(value, 2)}`),
      overBudget(minutes, minuteBudget, (value) => `${formatDecimals(value, 1)} minutes`),
    ];
    return spent.flatMap((reason) => (reason === null ? [] : [{ action: budgetSpent, reason }]));
  }

  /** A step in which no turn was played measures nothing. */
  private finite(series: string): readonly number[] {
    return (this.points.get(series) ?? []).filter(Number.isFinite);
  }

  private sum(series: readonly string[]): number {
    return sumOf(series.map((name) => sumOf(this.finite(name))));
  }
}

function judged(rule: string, action: RunRules['formatCollapse'], detect: () => string | null): FiredRules[] {
  const found = action === 'off' ? null : detect();
  return action === 'off' || found === null ? [] : [{ action, reason: `${rule}: ${found}` }];
}

function overBudget(spent: number, budget: number | null, words: (value: number) => string): string | null {
  return budget === null || spent < budget ? null : `budget spent: ${words(spent)} of ${words(budget)}`;
}
