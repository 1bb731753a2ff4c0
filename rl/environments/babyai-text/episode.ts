import { AppError } from '@/contract/errors';
import type { GridPicture } from '@/contract/trajectory';
import { Primitive } from '../babyai/objects';
import { drawPicture } from '../babyai/picture';
import { hashState } from '../babyai/state';
import { View } from '../babyai/view';
import { World } from '../babyai/world';
import type { Episode, EpisodeSnapshot, Observation, StepResult } from '../environment';
import { describeView } from './descriptions';
import { findTextLevel, layoutSource } from './levels';
import type { BabyAiTextOptions } from './options';
import { actionKindOf, babyAiTextTask, taskTypeOf, type BabyAiTextTask } from './task';

/** The six actions, offered at every turn in this order. */
export const BABYAI_TEXT_ACTIONS = [
  'turn left',
  'turn right',
  'go forward',
  'pick up',
  'drop',
  'toggle',
] as const;

const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map([
  ['turn left', Primitive.left],
  ['turn right', Primitive.right],
  ['go forward', Primitive.forward],
  ['pick up', Primitive.pickup],
  ['drop', Primitive.drop],
  ['toggle', Primitive.toggle],
]);

const SHOWN_ACTION_LENGTH = 80;

/** A play of a BabyAI-Text task. */
export class BabyAiTextEpisode implements Episode<BabyAiTextTask> {
  readonly world: World;
  private readonly view: View;
  private readonly actions: string[] = [];
  private lines: readonly string[];
  private observation: Observation;
  private over = false;

  constructor(
    readonly task: BabyAiTextTask,
    private readonly options: BabyAiTextOptions,
  ) {
    this.world = openWorld(task);
    this.view = new View(this.world);
    this.lines = describeView(this.view, this.world.carrying);
    this.observation = observed(this.lines.join('\n'));
  }

  get goal(): string {
    return this.world.mission;
  }

  observe(): Observation {
    return this.observation;
  }

  /** Upstream's list of descriptions of what is seen and carried now. */
  get descriptions(): readonly string[] {
    return this.lines;
  }

  /** One turn. Throws where the episode has ended. */
  step(action: string): StepResult {
    if (this.over) throw new AppError('conflict', `The episode of ${this.task.id} has ended; start another`);
    this.actions.push(action);
    const primitive = PRIMITIVES.get(action);
    if (primitive === undefined && this.options.refuseUnknownActions) return this.refuse(action);
    const outcome = this.world.step(primitive ?? Primitive.done);
    this.view.look();
    this.lines = describeView(this.view, this.world.carrying);
    const success = outcome === 'success';
    const reward = success ? this.world.successReward : 0;
    this.over = outcome !== 'continue';
    return this.finish(this.lines.join('\n'), { reward, success, valid: primitive !== undefined });
  }

  private refuse(action: string): StepResult {
    const shown = action.length > SHOWN_ACTION_LENGTH ? `${action.slice(0, SHOWN_ACTION_LENGTH)}...` : action;
    const reason = `There is no action "${shown}". Actions: ${BABYAI_TEXT_ACTIONS.join(', ')}.`;
    return this.finish([reason, ...this.lines].join('\n'), { reward: 0, success: false, valid: false });
  }

  private finish(
    text: string,
    { reward, success, valid }: { reward: number; success: boolean; valid: boolean },
  ): StepResult {
    const truncated = !this.over && this.isAtLimit();
    this.over ||= truncated;
    this.observation = observed(text);
    return { observation: this.observation, reward, done: this.over, truncated, success, valid };
  }

  private isAtLimit(): boolean {
    const { maxTurns } = this.options;
    return this.world.steps >= this.world.maxSteps || (maxTurns !== null && this.actions.length >= maxTurns);
  }

  picture(): GridPicture {
    return drawPicture(this.world, this.view);
  }

  stateHash(): string {
    return hashState(this.world);
  }

  snapshot(): EpisodeSnapshot<BabyAiTextTask> {
    return { task: this.task, actions: [...this.actions] };
  }
}

function observed(text: string): Observation {
  return { text, availableActions: BABYAI_TEXT_ACTIONS };
}

/** The world of a task. Throws where the task is none, or its seed gives a sequence in the other order. */
function openWorld({ level, taskType, seed, split }: BabyAiTextTask): World {
  const { id } = babyAiTextTask(level, taskType, seed, split);
  const world = new World(layoutSource(findTextLevel(level), actionKindOf(taskType)), seed, 1, {
    solvable: true,
  });
  const drawn = taskTypeOf(world.instruction);
  if (drawn !== taskType) {
    throw new AppError('invalid_input', `There is no task ${id}: the seed gives a mission of type ${drawn}`);
  }
  return world;
}
