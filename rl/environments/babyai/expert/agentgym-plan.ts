import { AppError } from '@/contract/errors';
import type { ExpertPlan, NoPlan } from '../../expert';
import type { Primitive } from '../objects';
import type { Offer } from '../offers';
import type { BabyAiOptions } from '../options';
import type { World } from '../world';
import { restoreWorld, saveWorld, withWorldKept, type WorldState } from '../world-state';
import { AgentGymTurns } from './agentgym-turns';
import { LATER_COST, planPrimitives, StateKeys } from './primitive-plan';
import type { ActionRules } from './rules';
import { findReach } from './reach';
import { Survey } from './survey';
import { shortestTurns } from './shortest-turns';

/** Ways off the plan that are planned on from, of each turn's. */
const PLANNED_ASIDE = 2;
/** Turns up to which a plan is sought to be shortened: the search does not reach the end of longer ones. */
const SHORTENED_TURNS = 12;

/** AgentGym toggles shut doors only: what stands open stays open, and boxes stay whole. */
function agentGymRules({ endOnLowReward }: BabyAiOptions): ActionRules {
  return { shutsDoors: false, opensBoxes: false, failureEnds: endOnLowReward };
}

/**
 * A plan in AgentGym's actions from a world's state; the world is left as it was.
 *
 * Every plan of primitives can be played in single actions; longer ones take their place where they lead along the plan,
 * or to where less is left to do. Guaranteed: the plan wins, and no plan of up to two turns is missed. Longer plans are
 * short, not the shortest.
 */
export function planTurns(world: World, options: BabyAiOptions): ExpertPlan | NoPlan {
  const plan = planPrimitives(world, agentGymRules(options));
  if (!plan.actions) return plan;
  const { actions: primitives, mayFail } = plan;
  const rules = { ...agentGymRules(options), failureEnds: !mayFail };
  return withWorldKept(world, () => {
    const start = saveWorld(world);
    const turns = new AgentGymTurns(world, options.endInsideAction);
    const actions = new TurnPlanner(world, rules, turns).follow(primitives);
    if (actions.length > SHORTENED_TURNS) return { actions };
    restoreWorld(world, start);
    return { actions: shortestTurns(world, rules, turns, actions.length - 1) ?? actions };
  });
}

/** A turn, and the primitives left to win after it. */
interface Turn {
  readonly action: string;
  readonly left: readonly Primitive[];
}

/** A turn that leaves the plan, and about how many primitives are left after it. */
interface Aside {
  readonly action: string;
  readonly state: WorldState;
  readonly estimate: number;
}

class TurnPlanner {
  private readonly keys: StateKeys;

  constructor(
    private readonly world: World,
    private readonly rules: ActionRules,
    private readonly turns: AgentGymTurns,
  ) {
    this.keys = new StateKeys(world);
  }

  /** Turns a plan of primitives into actions, each with less left to do than the one before. */
  follow(plan: readonly Primitive[]): string[] {
    const actions: string[] = [];
    for (let left = plan; left.length > 0;) {
      const turn = this.bestTurn(left);
      actions.push(turn.action);
      left = turn.left;
    }
    return actions;
  }

  /** The turn from the world's state that leaves the fewest primitives; the world is after it. */
  private bestTurn(plan: readonly Primitive[]): Turn {
    const start = saveWorld(this.world);
    const ahead = this.keysAlong(plan);
    restoreWorld(this.world, start);
    let best: { action: string; state: WorldState; left: readonly Primitive[] } | null = null;
    const asides: Aside[] = [];
    for (const { action, primitives } of this.offered()) {
      restoreWorld(this.world, start);
      const outcome = this.turns.play(primitives);
      if (outcome === 'success') return { action, left: [] };
      if (outcome === 'failure' && this.rules.failureEnds) continue;
      const played = ahead.get(this.keys.of(this.world));
      if (played === undefined) {
        if (primitives.length > 1)
          asides.push({ action, state: saveWorld(this.world), estimate: this.estimate() });
      } else if (!best || plan.length - played < best.left.length) {
        best = { action, state: saveWorld(this.world), left: plan.slice(played) };
      }
    }
    if (!best) throw new AppError('internal', `No action of AgentGym follows the plan ${plan.join()}`);
    asides.sort((left, right) => left.estimate - right.estimate);
    for (const { action, state, estimate } of asides.slice(0, PLANNED_ASIDE)) {
      if (estimate >= best.left.length) break;
      restoreWorld(this.world, state);
      const { actions: left } = planPrimitives(this.world, this.rules);
      if (left && left.length < best.left.length) best = { action, state, left };
    }
    restoreWorld(this.world, best.state);
    return best;
  }

  private offered(): { action: string; primitives: readonly Primitive[] }[] {
    return this.turns
      .offers()
      .map((offer: Offer) => ({ action: offer.action, primitives: this.turns.primitives(offer) }));
  }

  /** How many primitives of a plan lead to each state along it but the last. */
  private keysAlong(plan: readonly Primitive[]): Map<string, number> {
    const ahead = new Map<string, number>();
    plan.slice(0, -1).forEach((primitive, index) => {
      this.world.step(primitive);
      ahead.set(this.keys.of(this.world), index + 1);
    });
    return ahead;
  }

  private estimate(): number {
    const { unlockable } = findReach(this.world, this.rules, new Set());
    return new Survey(this.world, {
      rules: this.rules,
      unlockable,
      keptShut: new Set(),
      laterCost: LATER_COST,
    }).estimate;
  }
}
