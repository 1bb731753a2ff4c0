import type { Task } from '../environment';
import type { Expert, ExpertPlan, NoPlan } from '../expert';
import type { AlfWorldEpisode } from './episode';
import { errandLists, type Errand } from './errands';
import type { Offer } from './game';
import type { World } from './world';

/** Lists tried before the search gives up; the first wins wherever the domain is ALFRED's. */
const MOST_TRIED = 200;

/**
 * The expert of ALFWorld. It knows where everything is and tries the shortest list of errands first, so that its plans are
 * as long as a planner's: fetch, treat, bring. A plan is played in a copy of the world and ends where that is won. That no
 * list of errands is left proves that nothing can win: none of the goal's objects can be fetched, treated and brought.
 */
export const alfWorldExpert: Expert<AlfWorldEpisode<Task>> = {
  plan({ world, house }): ExpertPlan | NoPlan {
    if (world.won) return { actions: [] };
    if (!house) return { actions: null, proven: false, reason: "the game's domain is not ALFRED's" };
    const lists = errandLists(house, world.state);
    for (const list of lists.slice(0, MOST_TRIED)) {
      const actions = playErrands(world.copy(), list);
      if (actions) return { actions };
    }
    const { names } = world.game;
    const wanted = house.goal.objects.map((object) => names[object]).join(', ');
    if (lists.length > 0) return { actions: null, proven: false, reason: `no way with ${wanted} wins` };
    const held = house.held(world.state);
    const isStuck = held !== null && !house.receptacles.some((receptacle) => house.takes(receptacle, held));
    const hand = isStuck ? `: ${names[held]} is in the hand, and no receptacle takes it` : '';
    return {
      actions: null,
      proven: true,
      reason: `none of ${wanted} can be fetched, treated and brought${hand}`,
    };
  },
};

/** The commands of the errands, up to the win; null where one is not offered or none wins. */
function playErrands(world: World, errands: readonly Errand[]): string[] | null {
  const commands: string[] = [];
  for (const errand of errands) {
    const offer = findOffer(world, errand);
    if (!offer) return null;
    commands.push(offer.command);
    world.take(offer.operator);
    if (world.won) return commands;
  }
  return null;
}

function findOffer(world: World, { action, objects }: Errand): Offer | undefined {
  const wanted = Object.entries(objects);
  return world.offersOf(action).find(({ operator: { action: taken, binding } }) =>
    wanted.every(([name, object]) => {
      const slot = taken.parameters.findIndex((parameter) => parameter.name === name);
      return slot >= 0 && binding[slot] === object;
    }),
  );
}
