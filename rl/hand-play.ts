import type { SampledSequence } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { PlayMoment } from '@/contract/play';
import type { PlayedTrajectory } from '@/contract/trajectory';
import type { Observation, Task } from './environments/environment';
import { PASTED_TASK, PastedWorld } from './environments/pasted';
import { replyText } from './conversation-ids';
import { LiveEpisode, type PendingCall, type PlaySettings } from './live-episode';
import { hashSeed } from './random';

type Actor = 'person' | 'model';

/** A moment of the play, whatever command led to it. */
export type SeenMoment = Omit<PlayMoment, 'command' | 'busy' | 'refusal'>;

/** An episode whose turns are taken one by one, by a person or by the model. */
export class HandPlay<T extends Task> {
  private lastActor: Actor = 'model';

  private constructor(
    private readonly episode: LiveEpisode<T>,
    private readonly settings: PlaySettings<T>,
  ) {}

  static async start<T extends Task>(task: T, seed: number, settings: PlaySettings<T>): Promise<HandPlay<T>> {
    const request = { task, group: null, sample: 0, seed };
    const play = new HandPlay(await LiveEpisode.start(request, 0, settings), settings);
    if (settings.scaffold.strategyCall) await play.answer(play.episode.pendingNote('strategy'));
    return play;
  }

  get isOver(): boolean {
    return this.episode.stopReason !== null;
  }

  /** The person's turn. Throws `invalid_input` where the scaffold cannot say the action. */
  async act(thought: string, action: string): Promise<void> {
    const { scaffold, tokenizer, stopTokens } = this.settings;
    if (!scaffold.write)
      throw new AppError(
        'invalid_input',
        `scaffold ${scaffold.id} has no form in which an action is said by hand`,
      );
    const text = scaffold.write(thought, action);
    if (scaffold.parse(text).action !== action)
      throw new AppError('invalid_input', `scaffold ${scaffold.id} cannot say ${JSON.stringify(action)}`);
    const tokens = [...tokenizer.encode(text), ...stopTokens.slice(0, 1)];
    const reply = { tokens, logprobs: tokens.map(() => NaN), stopReason: 'stop' as const };
    for (const call of this.episode.pendingAction()) await this.take(call, reply, 'person');
  }

  /** The model's turn. */
  async letModelAct(): Promise<void> {
    const reply = await this.modelReply();
    if (reply) await this.take(reply.call, reply.sampled, 'model');
  }

  /** The model's reply to what is seen now, not yet taken; null where its prompt is too long, which ends the episode. */
  async modelReply(): Promise<{ call: PendingCall; sampled: SampledSequence } | null> {
    const [call] = this.episode.pendingAction();
    if (!call) return null;
    const [sampled] = await this.settings.respond([call.pending], 0);
    if (sampled) return { call, sampled };
    call.refuse();
    return null;
  }

  async take(call: PendingCall, reply: SampledSequence, by: Actor): Promise<void> {
    await call.take(reply);
    this.lastActor = by;
    if (this.settings.scaffold.memoryCall && !this.isOver)
      await this.answer(this.episode.pendingNote('memory'));
  }

  private async answer(calls: readonly PendingCall[]): Promise<void> {
    for (const call of calls) {
      const [reply] = await this.settings.respond([call.pending], 0);
      if (reply) await call.take(reply);
      else call.refuse();
    }
  }

  moment(): SeenMoment {
    const { trajectory } = this.episode.finish();
    const last = trajectory.turns.at(-1);
    const seen = this.episode.opening?.observation ?? null;
    return {
      goal: trajectory.goal,
      observation: seen?.text ?? null,
      availableActions: this.isOver ? [] : [...(seen?.availableActions ?? [])],
      picture: trajectory.finalPicture,
      turn: last ? { ...withoutState(last), by: this.lastActor } : null,
      reward: trajectory.reward,
      success: trajectory.success,
      over: this.isOver,
    };
  }

  /** Ends the episode, where the environment has not, and gives its record. */
  async end(): Promise<PlayedTrajectory> {
    this.episode.stopReason ??= 'stopped';
    await this.episode.close();
    return this.episode.finish().trajectory;
  }
}

function withoutState({
  tokens: _tokens,
  picture: _picture,
  stateHash: _hash,
  ...turn
}: PlayedTrajectory['turns'][number]) {
  return turn;
}

/** A model that is shown pasted observations; a reply becomes a turn once the next observation, or the end, answers it. */
export class PastedPlay {
  private readonly world: PastedWorld;
  private readonly settings: PlaySettings<Task>;
  private play: HandPlay<Task> | null = null;
  private waiting: { call: PendingCall; sampled: SampledSequence; seen: Observation } | null = null;
  private turns = 0;

  constructor(
    private readonly goal: string,
    private readonly seed: number,
    settings: Omit<PlaySettings<Task>, 'environment'>,
  ) {
    this.world = new PastedWorld(goal);
    this.settings = { ...settings, environment: this.world };
  }

  get isOver(): boolean {
    return this.play?.isOver ?? false;
  }

  /** Turns of which the model has written the reply. */
  get replies(): number {
    return this.turns;
  }

  async show(seen: Observation): Promise<void> {
    this.world.show(seen);
    await this.takeWaiting();
    this.play ??= await HandPlay.start(PASTED_TASK, hashSeed(this.seed, 'pasted'), this.settings);
    const reply = this.play.isOver ? null : await this.play.modelReply();
    if (!reply) return;
    this.waiting = { ...reply, seen };
    this.turns++;
  }

  private async takeWaiting(): Promise<void> {
    const { play, waiting } = this;
    this.waiting = null;
    if (play && waiting) await play.take(waiting.call, waiting.sampled, 'model');
  }

  moment(): SeenMoment {
    const { waiting, play } = this;
    const { turn = null, reward = 0, success = false, over = false } = play?.moment() ?? {};
    return {
      goal: this.goal,
      observation: null,
      availableActions: [],
      picture: null,
      turn: waiting ? this.waitingTurn(waiting) : turn,
      reward,
      success,
      over,
    };
  }

  private waitingTurn({ call, sampled, seen }: NonNullable<PastedPlay['waiting']>): PlayMoment['turn'] {
    const reply = replyText(sampled.tokens, this.settings);
    const { thought, action, formatOk } = this.settings.scaffold.parse(reply);
    return {
      index: this.turns - 1,
      observation: seen.text,
      availableActions: [...seen.availableActions],
      prompt: null,
      reply,
      thought,
      action,
      formatOk,
      admissible: seen.availableActions.includes(action),
      valid: true,
      reward: 0,
      memory: null,
      promptTokens: call.pending.prompt.length,
      replyTokens: sampled.tokens.length,
      by: 'model',
    };
  }

  /** The record; null where nothing was shown. */
  async end(): Promise<PlayedTrajectory | null> {
    const { play } = this;
    if (!play) return null;
    this.world.close();
    await this.takeWaiting();
    const trajectory = await play.end();
    return {
      ...trajectory,
      stopReason: trajectory.stopReason === 'failure' ? 'stopped' : trajectory.stopReason,
      flags: [...trajectory.flags, 'pasted_observations'],
    };
  }
}
