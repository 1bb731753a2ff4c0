import type { World } from '../world';
import { restoreWorld, saveWorld, type WorldState } from '../world-state';
import type { AgentGymTurns } from './agentgym-turns';
import { StateKeys } from './primitive-plan';
import type { ActionRules } from './rules';

/** States looked on from before the search gives up: enough for every plan of two turns. */
const STATE_LIMIT = 500;

interface Node {
  readonly state: WorldState;
  readonly actions: readonly string[];
}

/**
 * The fewest actions of AgentGym that win from a world's state, or null where there are none of at most `limit` turns or
 * the search gave up: breadth first over whatever is offered.
 */
export function shortestTurns(
  world: World,
  { failureEnds }: ActionRules,
  turns: AgentGymTurns,
  limit: number,
): readonly string[] | null {
  const keys = new StateKeys(world);
  const known = new Set([keys.of(world)]);
  const open: Node[] = [{ state: saveWorld(world), actions: [] }];
  for (const [index, { state, actions }] of open.entries()) {
    if (index >= STATE_LIMIT || actions.length >= limit) return null;
    restoreWorld(world, state);
    const offered = turns.offers().map((offer) => ({ ...offer, primitives: turns.primitives(offer) }));
    for (const { action, primitives } of offered) {
      restoreWorld(world, state);
      const outcome = turns.play(primitives);
      if (outcome === 'success') return [...actions, action];
      if (outcome === 'failure' && failureEnds) continue;
      const key = keys.of(world);
      if (known.has(key)) continue;
      known.add(key);
      open.push({ state: saveWorld(world), actions: [...actions, action] });
    }
  }
  return null;
}
