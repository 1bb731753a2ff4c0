/**
 * A checkpoint driven by hand: a person takes turns of an episode, lets the model take them, or shows it pasted
 * observations. What is told to it is stored as commands and carried out in their order, so that another attempt comes to
 * the same place by itself. Saved as one trajectory of phase `manual`. Page: docs/play.md.
 */
import { splitSizesOf } from '@/contract/environments/registry';
import { AppError } from '@/contract/errors';
import type { PlayCommand, PlayMoment } from '@/contract/play';
import type { PlayConfig } from '@/contract/recipes/requested-work';
import type { RecipeEvent } from '@/contract/run-events';
import type { PlayedTrajectory } from '@/contract/trajectory';
import type { Task } from '../environments/environment';
import { findListedTask } from '../environments/find-task';
import { HandPlay, PastedPlay, type SeenMoment } from '../hand-play';
import { hashSeed } from '../random';
import { playDefaults, responderOf } from './evaluation';
import { logEvent, type RecipeContext } from './recipe';
import { requestedCheckpoint } from './requested-checkpoint';
import { setUp, type RunSetup } from './setup';

/** What the contract lets a refusal be at most, in UTF-16 code units. */
const MAX_REFUSAL_LENGTH = 2000;

/** What a play by hand does with commands, whatever it plays. */
interface Session {
  moment(): SeenMoment;
  /**
   * Carries a command out a turn at a time, and says after each whether more turns follow. Throws `invalid_input` for a
   * command that means nothing here.
   */
  carryOut(command: PlayCommand, signal: AbortSignal): AsyncGenerator<boolean>;
  isOver: boolean;
  /** The record; null where nothing was played. */
  end(): Promise<PlayedTrajectory | null>;
}

export async function* playByHand(config: PlayConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const session = await openSession(setup);
  yield advanced(session, { command: 0 });
  let number = 0;
  while (!session.isOver && !context.signal.aborted) {
    const next = await context.nextCommand(number, config.idleMinutes * 60);
    if (next === 'idle') yield logEvent('info', `ended after ${config.idleMinutes} min without a command`);
    if (next === 'idle' || next === null) break;
    number = next.number;
    if (next.command.kind === 'end') break;
    try {
      for await (const busy of session.carryOut(next.command, context.signal))
        yield advanced(session, { command: number, busy });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      yield advanced(session, { command: number, refusal: error.message.slice(0, MAX_REFUSAL_LENGTH) });
    }
  }
  const trajectory = await session.end();
  if (trajectory) yield { kind: 'trajectory:finished', trajectory };
  else yield logEvent('info', 'nothing was played, so nothing is saved');
  const late = await lastAfter(number, context);
  const refusal = late === number ? null : lateWords(number + 1, late);
  yield advanced(session, { command: late, over: true, refusal });
  yield { kind: 'step:finished', step: 1, steps: 1 };
}

/** The newest command that waits beyond the one a play ended with; that one where none does. */
async function lastAfter(number: number, context: RecipeContext): Promise<number> {
  let last = number;
  for (;;) {
    const next = await context.nextCommand(last, 0);
    if (next === 'idle' || next === null) return last;
    last = next.number;
  }
}

function lateWords(first: number, last: number): string {
  return `the play is over: ${first === last ? `command ${first} was` : `commands ${first} to ${last} were`} not carried out`;
}

function advanced(session: Session, changes: Pick<PlayMoment, 'command'> & Partial<PlayMoment>): RecipeEvent {
  return { kind: 'play:advanced', moment: { ...session.moment(), busy: false, refusal: null, ...changes } };
}

async function openSession(setup: RunSetup<PlayConfig>): Promise<Session> {
  const { config, context, suite } = setup;
  const { reference, sampler } = await requestedCheckpoint(config, context);
  const settings = {
    ...playDefaults(setup),
    respond: responderOf(setup, sampler, config.decoding),
    lanes: 1,
    step: reference.step,
    phase: 'manual' as const,
    decoding: config.decoding,
    records: () => true,
  };
  const { world } = config;
  if (world.kind === 'pasted')
    return pastedSession(new PastedPlay(world.goal, config.seed, settings), config.environment.maxTurns);
  const splitSize = splitSizesOf(config.environment)[world.split];
  const task = findListedTask(suite, world.split, world.taskId, splitSize);
  return taskSession(await HandPlay.start(task, hashSeed(config.seed, 'play', task.id), settings));
}

function taskSession(play: HandPlay<Task>): Session {
  return {
    moment: () => play.moment(),
    get isOver() {
      return play.isOver;
    },
    end: () => play.end(),
    async *carryOut(command, signal) {
      if (command.kind === 'act') {
        await play.act(command.thought, command.action);
        yield false;
      } else if (command.kind === 'let-model-act') {
        for (let left = command.turns - 1; left >= 0; left--) {
          await play.letModelAct();
          if (play.isOver || signal.aborted) left = 0;
          yield left > 0;
        }
      } else
        throw new AppError(
          'invalid_input',
          `a task is played here: ${command.kind} is for pasted observations`,
        );
    },
  };
}

function pastedSession(play: PastedPlay, maxTurns: number): Session {
  return {
    moment: () => play.moment(),
    get isOver() {
      return play.isOver || play.replies >= maxTurns;
    },
    end: () => play.end(),
    async *carryOut(command) {
      if (command.kind !== 'show')
        throw new AppError(
          'invalid_input',
          `pasted observations are played here: ${command.kind} is for tasks`,
        );
      const { observation: text, availableActions } = command;
      await play.show({ text, availableActions });
      yield false;
    },
  };
}
