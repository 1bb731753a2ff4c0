import { AppError } from '@/contract/errors';
import type { GridPicture } from '@/contract/trajectory';
import type { Episode, Observation, StepResult } from '../environment';
import { findLevel } from './levels/registry';
import { listOffers, type Offer, type Refusals } from './offers';
import type { Primitive } from './objects';
import type { BabyAiOptions } from './options';
import { PathSearch } from './path-search';
import { drawPicture } from './picture';
import { pythonStrip } from './python-strip';
import { observationText, sight, type Sightings } from './sightings';
import { hashState } from './state';
import type { BabyAiTask } from './task';
import { View } from './view';
import { World } from './world';

const NO_CHANGE = 'No change in state.';

/** A play of a BabyAI task through AgentGym's text: named actions, each a way of primitives. */
export class BabyAiEpisode implements Episode {
  readonly goal: string;
  readonly world: World;
  private readonly view: View;
  private readonly search = new PathSearch();
  private sightings: Sightings;
  private offers: readonly Offer[];
  private observation: Observation;
  private turns = 0;
  private over = false;
  /** Of the last action that moved; upstream repeats it for actions that do not. */
  private reward = 0;

  constructor(
    readonly task: BabyAiTask,
    private readonly options: BabyAiOptions,
  ) {
    const { doubleReset, solvable } = options;
    this.world = new World(findLevel(task.level), task.seed, doubleReset ? 2 : 1, { solvable });
    this.goal = this.world.mission.replaceAll('then', 'and').replaceAll('after you', 'and');
    this.view = new View(this.world);
    this.world.takeCarriedAtStart();
    this.sightings = sight(this.view);
    this.offers = this.listOffers(null);
    this.observation = this.describe(observationText(this.sightings, this.world.carrying));
  }

  observe(): Observation {
    return this.observation;
  }

  /** What the current observation offers; the objects tell a planner which is which. */
  get currentOffers(): readonly Offer[] {
    return this.offers;
  }

  /** What is in view. */
  get currentSightings(): Sightings {
    return this.sightings;
  }

  /** Whether an offered action has no primitives: the agent already faces what it would go to. */
  changesNothing({ end, then }: Offer): boolean {
    return then.length === 0 && (end === null || this.search.isStart(end));
  }

  /** One turn. An action that is not offered is answered with the reason. Throws where the episode has ended. */
  step(action: string): StepResult {
    if (this.over) throw new AppError('conflict', `The episode of ${this.task.id} has ended; start another`);
    this.turns++;
    const sent = pythonStrip(action.toLowerCase());
    if (sent.includes('check')) return this.finish(this.checkText(), { won: false, valid: true });
    if (sent === '') return this.finish(NO_CHANGE, { won: false, valid: false });
    const offer = this.offers.find((candidate) => candidate.action === sent);
    if (!offer) return this.finish(this.refusalText(sent), { won: false, valid: false });
    if (this.changesNothing(offer)) return this.finish(NO_CHANGE, { won: false, valid: true });
    return this.move(offer.end === null ? offer.then : [...this.search.way(offer.end), ...offer.then]);
  }

  private move(primitives: readonly Primitive[]): StepResult {
    const { endInsideAction, endOnLowReward } = this.options;
    let outcome: ReturnType<World['step']> = 'continue';
    for (const primitive of primitives) {
      outcome = this.world.step(primitive);
      const changed = this.view.look();
      if (!changed || (endInsideAction && outcome !== 'continue')) break;
    }
    this.sightings = sight(this.view);
    this.offers = this.listOffers(null);
    const won = outcome === 'success';
    this.reward = won ? this.world.successReward : 0;
    this.over = outcome !== 'continue' && (endOnLowReward || this.reward > 0.5);
    const ending = outcome === 'continue' ? '' : '\n The task is completed.';
    return this.finish(observationText(this.sightings, this.world.carrying) + ending, { won, valid: true });
  }

  private finish(text: string, { won, valid }: { won: boolean; valid: boolean }): StepResult {
    const { maxTurns } = this.options;
    const truncated = !this.over && maxTurns !== null && this.turns >= maxTurns;
    this.over ||= truncated;
    this.observation = this.describe(text);
    const { observation, reward, over: done } = this;
    return { observation, reward, done, truncated, success: won, valid };
  }

  private describe(text: string): Observation {
    return { text, availableActions: this.offers.map((offer) => offer.action) };
  }

  private listOffers(refusals: Refusals | null): Offer[] {
    const { grid, carrying } = this.world;
    this.search.begin(this.view, grid.agentX, grid.agentY, grid.direction);
    return listOffers(
      { view: this.view, sightings: this.sightings, carrying, search: this.search },
      refusals,
    );
  }

  private checkText(): string {
    const list = this.options.shortCheck ? '' : this.offers.map((offer) => offer.action).join(', ');
    return `You can take the following actions: ${list}`;
  }

  private refusalText(action: string): string {
    const refusals: Refusals = new Map();
    this.listOffers(refusals);
    return refusals.get(action) ?? 'The action is not recognized. Please check valid actions.';
  }

  picture(): GridPicture {
    return drawPicture(this.world, this.view);
  }

  stateHash(): string {
    return hashState(this.world);
  }
}
