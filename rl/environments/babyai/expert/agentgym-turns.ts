import { listOffers, type Offer } from '../offers';
import { PathSearch } from '../path-search';
import { sight } from '../sightings';
import type { Outcome } from '../verifier';
import { View } from '../view';
import type { World } from '../world';

/** Plays turns of AgentGym's actions on a world, as an episode does, but for texts, rewards and ends. */
export class AgentGymTurns {
  private readonly view: View;
  private readonly search = new PathSearch();

  constructor(
    private readonly world: World,
    private readonly endInsideAction: boolean,
  ) {
    this.view = new View(world);
  }

  /** The actions offered now that do something. Good until the world changes. */
  offers(): Offer[] {
    const { view, search, world } = this;
    const { agentX, agentY, direction } = world.grid;
    this.look();
    search.begin(view, agentX, agentY, direction);
    const scene = { view, sightings: sight(view), carrying: world.carrying, search };
    return listOffers(scene, null).filter(({ end, then }) => then.length > 0 || !isStanding(search, end));
  }

  /** The primitives of an action offered now. */
  primitives({ end, then }: Offer): Offer['then'] {
    return end === null ? then : [...this.search.way(end), ...then];
  }

  /** Plays primitives as one turn from the world's state: to the first that changes nothing to be seen. */
  play(primitives: Offer['then']): Outcome {
    let outcome: Outcome = 'continue';
    this.look();
    for (const primitive of primitives) {
      outcome = this.world.step(primitive);
      const changed = this.view.look();
      if (!changed || (this.endInsideAction && outcome !== 'continue')) break;
    }
    return outcome;
  }

  /** Until something is played, what is in the hand from the start is seen on the floor, as in an episode. */
  private look(): void {
    const { view, world } = this;
    const { grid } = world;
    const taken = world.steps === 0 ? grid.carriedAtStart : null;
    if (taken) {
      grid.put(taken.x, taken.y, taken);
      world.carrying = null;
    }
    view.look();
    if (taken) world.takeCarriedAtStart();
  }
}

function isStanding(search: PathSearch, end: number | null): boolean {
  return end === null || search.isStart(end);
}
