import type { ChatMessage, SampledSequence, Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { encodeStatePicture } from '@/contract/state-picture';
import type { PlayedTrajectory, PlayedTurn, StopReason, TrajectoryPhase } from '@/contract/trajectory';
import type { Environment, Episode, Observation, StepResult, Task } from './environments/environment';
import { type CallTokens, callTokens, prefilledTokensOf } from './call-tokens';
import { promptIds, replyText, type CallIds, type Reader } from './conversation-ids';
import { hashSeed } from './random';
import type { PendingReply, Responder } from './reply';
import type { EpisodeView, NoteCall, PastTurn } from './scaffolds/scaffold';

/** One episode to be played. */
export interface PlayRequest<T extends Task> {
  task: T;
  /** Group within the step; null outside training. */
  group: number | null;
  /** Sample within the group or task. */
  sample: number;
  /** Seed of its replies: turn t draws from hash(seed, t). */
  seed: number;
  /**
   * Calls of an earlier play of the task, by `callsBefore`: the episode is played through them, ids as they are, and goes
   * on from there.
   */
  from?: readonly CallTokens[];
}

/** A task as an episode of it begins. */
export interface EpisodeOpening {
  task: Task;
  observation: Observation;
}

export interface PlaySettings<T extends Task> extends Reader {
  environment: Environment<T>;
  respond: Responder;
  /** Batches that are computed side by side; a group's episodes share one. */
  lanes: number;
  /** A longer prompt ends its episode with `context_limit`. */
  maxPromptTokens: number;
  step: number;
  phase: TrajectoryPhase;
  decoding: 'greedy' | 'sampled';
  /** Whether pictures, state hashes and tokens of this episode are kept for the screens. */
  records(request: PlayRequest<T>): boolean;
  /** Told of a lane's episodes that could be started, before any reply is asked for; what it throws ends the play. */
  checkOpenings?(openings: readonly EpisodeOpening[]): void;
  /** Seconds, monotonic. */
  clock(): number;
}

export interface PlayedEpisode {
  trajectory: PlayedTrajectory;
  /** Made in this play, in their order. */
  calls: CallTokens[];
  /** Taken over from an earlier play, before those. */
  given: readonly CallTokens[];
}

/** A call that waits for its reply, and what becomes of it. */
export interface PendingCall {
  pending: PendingReply;
  take(reply: SampledSequence): void | Promise<void>;
  /** There will be none: the prompt is longer than the model's context, which ends the episode. */
  refuse(): void;
}

type Note = 'strategy' | 'memory';

/** An episode in play: its calls, its turns so far and why it ended. */
export class LiveEpisode<T extends Task> {
  stopReason: StopReason | null = null;
  private readonly turns: PlayedTurn[] = [];
  private calls: CallTokens[] = [];
  private given: readonly CallTokens[] = [];
  private givenTurns = 0;
  private readonly past: PastTurn[] = [];
  private readonly notes: Record<Note, string | null> = { strategy: null, memory: null };
  private readonly flags = new Set<string>();
  /** Ids of the conversation so far, where the scaffold's history extends. */
  private conversation: CallIds | null = null;
  private reward = 0;
  private success = false;
  private error: PlayedTrajectory['error'] = null;
  private readonly recorded: boolean;

  private constructor(
    private readonly request: PlayRequest<T>,
    readonly index: number,
    private readonly settings: PlaySettings<T>,
    private readonly episode: Episode<T> | null,
    private observation: Observation,
  ) {
    this.recorded = settings.records(request);
  }

  /** Starts the environment's episode; where that fails, the trajectory has no turns and says why. */
  static async start<T extends Task>(
    request: PlayRequest<T>,
    index: number,
    settings: PlaySettings<T>,
  ): Promise<LiveEpisode<T>> {
    let episode: Episode<T> | undefined;
    try {
      episode = await settings.environment.start(request.task);
      const live = new LiveEpisode(request, index, settings, episode, episode.observe());
      await live.playThrough(request.from ?? []);
      return live;
    } catch (error) {
      await episode?.close?.().catch(() => undefined);
      const unborn = new LiveEpisode(request, index, settings, null, { text: '', availableActions: [] });
      unborn.fail('environment start', error);
      return unborn;
    }
  }

  /** Takes the turns of an earlier play as they were. */
  private async playThrough(calls: readonly CallTokens[]): Promise<void> {
    for (const { call, prompt, reply, logprobs } of calls) {
      if (this.stopReason === 'error') break;
      if (this.stopReason !== null)
        throw new AppError(
          'invalid_input',
          `${this.request.task.id}: the play to go on from ends after ${this.turns.length} turns, more were given`,
        );
      const sampled: SampledSequence = { tokens: reply, logprobs, stopReason: 'stop' };
      if (call === 'action') await this.takeTurn(prompt, sampled);
      else this.takeNote(call, prompt, sampled);
    }
    this.given = calls;
    this.givenTurns = this.turns.length;
    this.calls = [];
  }

  /** The acting call of the next turn; none where its prompt is too long, which ends the episode. */
  pendingAction(): PendingCall[] {
    // A note whose prompt was too long has ended it.
    if (this.stopReason !== null) return [];
    const prompt = this.promptIds(this.settings.scaffold.prompt(this.view()));
    return this.pendingCall(prompt, hashSeed(this.request.seed, this.turns.length), (reply) =>
      this.takeTurn(prompt, reply),
    );
  }

  /** The call that writes the strategy, where none is given, or the memory. */
  pendingNote(note: Note): PendingCall[] {
    const call = this.noteCall(note);
    if (!call || (note === 'strategy' && this.given.some((given) => given.call === note))) return [];
    const { scaffold, tokenizer } = this.settings;
    const prompt = tokenizer.encodeChat(call.prompt(this.view()), scaffold.tools);
    const seed = hashSeed(this.request.seed, note, this.turns.length);
    const take = (reply: SampledSequence) => this.takeNote(note, prompt, reply);
    return this.pendingCall(prompt, seed, take, call.replies);
  }

  private noteCall(note: Note): NoteCall | undefined {
    const { scaffold } = this.settings;
    return note === 'strategy' ? scaffold.strategyCall : scaffold.memoryCall;
  }

  private takeNote(note: Note, prompt: number[], reply: SampledSequence): void {
    this.calls.push(callTokens(note, prompt, reply));
    const text = this.noteCall(note)?.parse(replyText(reply.tokens, this.settings)) ?? null;
    if (text === null) this.flags.add(`${note}_format_error`);
    else this.notes[note] = text;
    const turn = this.turns[this.turns.length - 1];
    if (note === 'memory' && turn) turn.memory = this.notes.memory;
  }

  private pendingCall(
    prompt: number[],
    seed: number,
    take: PendingCall['take'],
    replies?: readonly string[],
  ): PendingCall[] {
    if (prompt.length > this.settings.maxPromptTokens) {
      this.stopReason = 'context_limit';
      return [];
    }
    const allowedReplies = replies?.map((text) => this.endedReply(text));
    const pending = {
      prompt,
      seed,
      availableActions: this.observation.availableActions,
      ...(allowedReplies && { allowedReplies }),
    };
    const refuse = (): void => {
      this.stopReason = 'context_limit';
    };
    return [{ pending, take, refuse }];
  }

  /** A text as a reply that ends by itself. */
  private endedReply(text: string): number[] {
    const { tokenizer, stopTokens } = this.settings;
    return [...tokenizer.encode(text), ...stopTokens.slice(0, 1)];
  }

  private view(): EpisodeView {
    const { strategy, memory } = this.notes;
    const goal = this.episode?.goal ?? '';
    return { goal, past: this.past, observation: this.observation, strategy, memory };
  }

  private promptIds(messages: ChatMessage[]): number[] {
    const { ids, isRewritten } = promptIds(messages, this.conversation, this.settings);
    if (isRewritten) this.flags.add('history_rewritten');
    return ids;
  }

  private async takeTurn(prompt: number[], sampled: SampledSequence): Promise<void> {
    const { observation } = this;
    const reply = replyText(sampled.tokens, this.settings);
    const { thought, action, formatOk } = this.settings.scaffold.parse(reply);
    const before = this.recordedState();
    const result = this.stopReason === null ? await this.step(action) : null;
    this.turns.push({
      index: this.turns.length,
      observation: observation.text,
      availableActions: [...observation.availableActions],
      prompt: null,
      reply,
      thought,
      action,
      formatOk,
      admissible: observation.availableActions.includes(action),
      // What gave no answer refused nothing.
      valid: result?.valid ?? true,
      reward: result?.reward ?? 0,
      promptTokens: prompt.length,
      replyTokens: sampled.tokens.length,
      tokens: this.recorded ? recordedTokens(sampled, this.settings.tokenizer) : null,
      memory: null,
      ...before,
    });
    this.calls.push(callTokens('action', prompt, sampled));
    this.past.push({ observation, reply, action, result: result ?? undefined });
    if (this.settings.scaffold.history === 'extends') this.conversation = { prompt, reply: sampled.tokens };
    if (result) this.judge(result);
  }

  private judge(result: StepResult): void {
    this.reward += result.reward;
    this.success ||= result.success;
    this.observation = result.observation;
    if (!result.done) return;
    if (result.success) this.stopReason = 'success';
    else this.stopReason = result.truncated ? 'turn_limit' : 'failure';
  }

  /** The environment's answer, or null where it threw: the episode then ends as a failed trajectory. */
  private async step(action: string): Promise<StepResult | null> {
    try {
      return (await this.episode?.step(action)) ?? null;
    } catch (error) {
      this.fail('environment step', error);
      return null;
    }
  }

  private fail(stage: string, error: unknown): void {
    this.stopReason = 'error';
    this.error = { stage, message: error instanceof Error ? error.message : String(error) };
  }

  /** Nothing where it is not kept; an environment that cannot show its state ends its own episode alone. */
  private recordedState(): Pick<PlayedTurn, 'picture' | 'stateHash'> {
    const none = { picture: null, stateHash: null };
    if (!this.recorded || !this.episode) return none;
    try {
      return { picture: pictureOf(this.episode), stateHash: this.episode.stateHash() };
    } catch (error) {
      this.fail('environment state', error);
      return none;
    }
  }

  /** What the episode shows before its first turn; null where it could not be started. */
  get opening(): EpisodeOpening | null {
    return this.episode && { task: this.request.task, observation: this.episode.observe() };
  }

  /** The episode's record. */
  finish(): PlayedEpisode {
    const { request, episode, turns, settings, calls } = this;
    const { success, stopReason, error } = this;
    const { picture: finalPicture } = this.recordedState();
    const trajectory: PlayedTrajectory = {
      step: settings.step,
      phase: settings.phase,
      split: request.task.split,
      taskId: request.task.id,
      taskType: request.task.taskType,
      goal: episode?.goal ?? '',
      group: request.group,
      sample: request.sample,
      decoding: settings.decoding,
      evaluation: null,
      seed: request.seed,
      reward: this.reward,
      shapedReward: null,
      advantage: null,
      success,
      turnsCount: turns.length,
      givenTurns: this.givenTurns,
      invalidActions: turns.filter((turn) => !turn.valid).length,
      promptTokens: calls.reduce((sum, { prompt }) => sum + prompt.length, 0),
      replyTokens: calls.reduce((sum, { reply }) => sum + reply.length, 0),
      prefilledTokens: prefilledTokensOf(calls),
      trainedTokens: null,
      stopReason: stopReason ?? 'failure',
      flags: [...this.flags],
      error,
      strategy: this.notes.strategy,
      turns,
      finalPicture,
      finalObservation: this.observation.text,
    };
    return { trajectory, calls, given: this.given };
  }

  /** Gives back what the episode holds outside this process. What was played stands, whatever comes of that. */
  async close(): Promise<void> {
    try {
      await this.episode?.close?.();
    } catch {
      this.flags.add('close_failed');
    }
  }
}

function pictureOf<T extends Task>(episode: Episode<T>): string | null {
  const picture = episode.picture();
  return picture && encodeStatePicture(picture);
}

function recordedTokens(
  { tokens, logprobs, entropies }: SampledSequence,
  tokenizer: Tokenizer,
): PlayedTurn['tokens'] {
  return {
    ids: tokens,
    texts: tokens.map((id) => tokenizer.decode([id])),
    logprobs: logprobs.map((logprob) => (Number.isFinite(logprob) ? logprob : null)),
    ...(entropies && { entropies }),
  };
}
