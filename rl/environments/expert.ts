import type { Episode } from './environment';

/** A way to win from an episode's current state. */
export interface ExpertPlan {
  /** Actions as the environment takes them, in order. Played from here, the last of them wins. */
  readonly actions: readonly string[];
}

/** Why there is no plan from an episode's current state. */
export interface NoPlan {
  readonly actions: null;
  /** True where nothing can win any more; false where a search gave up. */
  readonly proven: boolean;
  /** In words, with the objects concerned. */
  readonly reason: string;
}

/**
 * Knows the true state of an episode, hidden parts included, and finds a way to win from any state it may be in.
 *
 * Three uses. Demonstrations: play the plan. Distance to the goal, in turns: the plan's length. Judge of a turn, offline:
 * the distance before it less the distance after it; 1 for a turn along a shortest plan, 0 or less for a wasted one, and
 * a turn after which no plan is left has lost the episode.
 */
export interface Expert<E extends Episode> {
  /**
   * A plan that has been played in simulation and wins. The episode is left as it was. A turn cap counts for nothing:
   * it is the environment's, and the plan may be longer.
   */
  plan(episode: E): ExpertPlan | NoPlan;
}
