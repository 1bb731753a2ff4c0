import { AppError } from '@/contract/errors';
import type { HouseholdPicture } from '@/contract/trajectory';
import { pythonStrip } from '../babyai/python-strip';
import type { Episode, EpisodeSnapshot, Observation, StepResult, Task } from '../environment';
import type { Game } from './game';
import { House } from './house';
import type { AlfWorldOptions } from './options';
import { drawHousehold } from './picture';
import type { AlfWorldTask } from './task';
import { World } from './world';

/** What is said to a command that is not admissible. */
export const NOTHING_HAPPENS = 'Nothing happens.';
const TASK_PREFIX = 'Your task is to: ';

/** A play of a game through its commands. */
export class AlfWorldEpisode<T extends Task = AlfWorldTask> implements Episode<T> {
  /** The task line without its lead: `put a candle in toilet.` */
  readonly goal: string;
  readonly world: World;
  /** Null where the game's domain is not ALFRED's: there is then no picture and no expert. */
  readonly house: House | null;
  private observation: Observation;
  private readonly actions: string[] = [];
  private over = false;
  private readonly found = new Set<number>();
  private readonly taken = new Set<number>();

  constructor(
    readonly task: T,
    game: Game,
    private readonly options: Pick<AlfWorldOptions, 'maxTurns'>,
  ) {
    this.world = World.start(game);
    this.house = House.of(game);
    this.goal = this.world.taskLine().replace(TASK_PREFIX, '');
    this.observation = this.describe(this.world.intro());
  }

  observe(): Observation {
    return this.observation;
  }

  /**
   * One turn. Surrounding white space is stripped; what is then not an admissible command, letter by letter, is answered
   * with "Nothing happens." and changes nothing. Throws where the episode has ended.
   */
  step(action: string): StepResult {
    if (this.over) throw new AppError('conflict', `The episode of ${this.task.id} has ended; start another`);
    this.actions.push(action);
    const answer = this.world.command(pythonStrip(action));
    const success = this.world.won;
    const { maxTurns } = this.options;
    const truncated = !success && maxTurns !== null && this.actions.length >= maxTurns;
    this.over = success || truncated;
    this.observation = this.describe(answer ?? NOTHING_HAPPENS);
    return {
      observation: this.observation,
      reward: success ? 1 : 0,
      done: this.over,
      truncated,
      success,
      valid: answer !== null,
    };
  }

  picture(): HouseholdPicture | null {
    const { house, found, taken } = this;
    return house && drawHousehold(this.world, house, { found, taken });
  }

  stateHash(): string {
    return this.world.hash();
  }

  snapshot(): EpisodeSnapshot<T> {
    return { task: this.task, actions: [...this.actions] };
  }

  private describe(text: string): Observation {
    const { house, world } = this;
    if (house) {
      for (const object of house.goal.objects)
        if (!this.found.has(object) && names(text, world.game.names[object] ?? '')) this.found.add(object);
      const held = house.held(world.state);
      if (held !== null && house.goal.objects.includes(held)) this.taken.add(held);
    }
    return { text, availableActions: world.admissible.commands };
  }
}

/** Whether a text names an object: `mug 1`, and not only `mug 12` or `bigmug 1`. */
function names(text: string, object: string): boolean {
  for (let at = text.indexOf(object); at >= 0; at = text.indexOf(object, at + 1))
    if (!/\w/.test(text[at - 1] ?? ' ') && !/\d/.test(text[at + object.length] ?? ' ')) return true;
  return false;
}
