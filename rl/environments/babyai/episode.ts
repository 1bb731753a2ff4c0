import { AppError } from '@/contract/errors';
import type { GridPicture } from '@/contract/trajectory';
import type { Episode, EpisodeSnapshot, Observation, StepResult } from '../environment';
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

/** AgentGym's number of the level it asks for and does not have. */
const MISSING_LEVEL = 4;
const NO_CHANGE = 'No change in state.';

/** A play of a BabyAI task through AgentGym's text: named actions, each a way of primitives. */
export class BabyAiEpisode implements Episode<BabyAiTask> {
  readonly goal: string;
  readonly world: World;
  private readonly view: View;
  private readonly search = new PathSearch();
  private sightings: Sightings;
  private offers: readonly Offer[];
  private availableActions: readonly string[];
  private observation: Observation;
  private readonly actions: string[] = [];
  private over = false;
  /** Of the last action that moved. */
  private reward = 0;

  constructor(
    readonly task: BabyAiTask,
    readonly options: BabyAiOptions,
  ) {
    const { doubleReset, solvable, tellOrder } = options;
    if (!options.missingLevel) refuseMissingLevel(task);
    this.world = new World(findLevel(task.level), task.seed, doubleReset ? 2 : 1, { solvable });
    const { mission } = this.world;
    this.goal = tellOrder ? mission : mission.replaceAll('then', 'and').replaceAll('after you', 'and');
    this.view = new View(this.world);
    this.world.takeCarriedAtStart();
    this.sightings = sight(this.view);
    this.offers = this.listOffers(null);
    this.availableActions = this.offers.map(({ action }) => action);
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
    this.actions.push(action);
    const sent = pythonStrip(action.toLowerCase());
    if (sent.includes('check')) return this.stay(this.checkText(), { valid: true });
    if (sent === '') return this.stay(NO_CHANGE, { valid: false });
    const offer = this.offers.find((candidate) => candidate.action === sent);
    if (!offer) return this.stay(this.refusalText(sent), { valid: false });
    if (this.changesNothing(offer)) return this.stay(NO_CHANGE, { valid: true });
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
    this.availableActions = this.offers.map(({ action }) => action);
    const won = outcome === 'success';
    this.reward = won ? this.world.successReward : 0;
    this.over = outcome !== 'continue' && (endOnLowReward || this.reward > 0.5);
    const ending = outcome === 'continue' ? '' : '\n The task is completed.';
    const text = observationText(this.sightings, this.world.carrying) + ending;
    return this.finish(text, { reward: this.reward, won, valid: true });
  }

  /** A turn that moves nothing. */
  private stay(text: string, { valid }: { valid: boolean }): StepResult {
    return this.finish(text, { reward: this.options.payOnce ? 0 : this.reward, won: false, valid });
  }

  private finish(
    text: string,
    { reward, won, valid }: { reward: number; won: boolean; valid: boolean },
  ): StepResult {
    const { maxTurns } = this.options;
    const truncated = !this.over && maxTurns !== null && this.actions.length >= maxTurns;
    this.over ||= truncated;
    this.observation = this.describe(text);
    return { observation: this.observation, reward, done: this.over, truncated, success: won, valid };
  }

  private describe(text: string): Observation {
    return { text, availableActions: this.availableActions };
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
    const list = this.options.shortCheck ? '' : this.availableActions.join(', ');
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

  snapshot(): EpisodeSnapshot<BabyAiTask> {
    return { task: this.task, actions: [...this.actions] };
  }
}

function refuseMissingLevel({ level, dataIndex }: BabyAiTask): void {
  if (dataIndex === undefined || findLevel(level).number !== MISSING_LEVEL) return;
  throw new AppError(
    'not_found',
    `AgentGym answers an error to data index ${dataIndex}: its level ${MISSING_LEVEL}, BabyAI-${level}-v0, is not ` +
      `registered. The option missingLevel plays BabyAI-${level}-v1 there`,
  );
}
