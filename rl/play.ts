import type { SampledSequence, Tokenizer } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { encodeGridPicture } from '@/contract/grid-picture';
import type { StopReason, Trajectory, TrajectoryPhase, Turn } from '@/contract/trajectory';
import type { Environment, Episode, Observation, StepResult, Task } from './environments/environment';
import { hashSeed } from './random';
import type { PendingReply, Responder } from './reply';
import type { PastTurn, Scaffold } from './scaffolds/scaffold';

/** One episode to be played. */
export interface PlayRequest<T extends Task> {
  task: T;
  /** Group within the step; null outside training. */
  group: number | null;
  /** Sample within the group or task. */
  sample: number;
  /** Seed of its replies: turn t draws from hash(seed, t). */
  seed: number;
}

export interface PlaySettings<T extends Task> {
  environment: Environment<T>;
  scaffold: Scaffold;
  tokenizer: Tokenizer;
  /** Ids that end a reply; one at its end is not part of its text. */
  stopTokens: readonly number[];
  respond: Responder;
  /** Batches that are computed side by side; a group's episodes share one. */
  lanes: number;
  step: number;
  phase: TrajectoryPhase;
  decoding: 'greedy' | 'sampled';
  /** Whether pictures, state hashes and tokens of this episode are kept for the screens. */
  records(request: PlayRequest<T>): boolean;
  /** Seconds, monotonic. */
  clock(): number;
}

/** Prompt and reply ids of a turn, with the sampler's log-probability of each reply token. */
export interface TurnTokens {
  prompt: number[];
  reply: number[];
  logprobs: number[];
}

export interface PlayedEpisode {
  trajectory: Trajectory;
  tokens: TurnTokens[];
}

export interface PlayedBatch {
  /** In the order of the requests. */
  episodes: PlayedEpisode[];
  /** Seconds outside the engine: environment, prompts, parsing; summed over lanes. */
  environmentS: number;
}

interface LiveEpisode<T extends Task> {
  request: PlayRequest<T>;
  episode: Episode;
  observation: Observation;
  turns: Turn[];
  tokens: TurnTokens[];
  past: PastTurn[];
  reward: number;
  success: boolean;
  recorded: boolean;
  stopReason: StopReason | null;
  error: { stage: string; message: string } | null;
}

/**
 * Plays episodes to their end, lane by lane in lockstep: every live episode of a lane takes one turn, their
 * replies being one batch. Which episodes share a batch depends on the requests alone. An episode that fails
 * ends with `stopReason: 'error'`; it is data, and the others go on.
 */
export async function playEpisodes<T extends Task>(
  requests: readonly PlayRequest<T>[],
  settings: PlaySettings<T>,
): Promise<PlayedBatch> {
  const played = new Array<PlayedEpisode>(requests.length);
  let environmentS = 0;

  async function playLane(lane: number): Promise<void> {
    let mark = settings.clock();
    let live = requests.flatMap((request, index) =>
      laneOf(request, index, settings.lanes) === lane ? [{ index, state: begin(request, settings) }] : [],
    );
    for (;;) {
      for (const { index, state } of live) if (state.stopReason) played[index] = finish(state, settings);
      live = live.filter(({ state }) => !state.stopReason);
      if (!live.length) break;
      const pending = live.map(({ state }) => pendingReply(state, settings));
      environmentS += settings.clock() - mark;
      const replies = await settings.respond(pending, lane);
      mark = settings.clock();
      if (replies.length !== live.length)
        throw new AppError(
          'internal',
          `expected ${live.length} replies of lane ${lane}, got ${replies.length}`,
        );
      live.forEach(({ state }, i) => {
        const [turn, sampled] = [pending[i], replies[i]];
        if (turn && sampled) takeTurn(state, turn, sampled, settings);
      });
    }
    environmentS += settings.clock() - mark;
  }

  await Promise.all(Array.from({ length: settings.lanes }, (_, lane) => playLane(lane)));
  return { episodes: played, environmentS };
}

/** A group stays on one lane, where its equal prompts are computed once. */
function laneOf<T extends Task>(request: PlayRequest<T>, index: number, lanes: number): number {
  return (request.group ?? index) % lanes;
}

function begin<T extends Task>(request: PlayRequest<T>, settings: PlaySettings<T>): LiveEpisode<T> {
  const episode = settings.environment.start(request.task);
  return {
    request,
    episode,
    observation: episode.observe(),
    turns: [],
    tokens: [],
    past: [],
    reward: 0,
    success: false,
    recorded: settings.records(request),
    stopReason: null,
    error: null,
  };
}

function pendingReply<T extends Task>(
  state: LiveEpisode<T>,
  { scaffold, tokenizer }: PlaySettings<T>,
): PendingReply {
  const messages = scaffold.prompt(state.episode.goal, state.past, state.observation);
  return {
    prompt: tokenizer.encodeChat(messages),
    seed: hashSeed(state.request.seed, state.turns.length),
    availableActions: state.observation.availableActions,
  };
}

function takeTurn<T extends Task>(
  state: LiveEpisode<T>,
  { prompt }: PendingReply,
  sampled: SampledSequence,
  settings: PlaySettings<T>,
): void {
  const { episode, observation, recorded } = state;
  const reply = replyText(sampled.tokens, settings);
  const { thought, action, formatOk } = settings.scaffold.parse(reply);
  const before = recorded
    ? { picture: encodeGridPicture(episode.picture()), stateHash: episode.stateHash() }
    : { picture: null, stateHash: null };
  const result = stepOrFail(state, action);
  state.turns.push({
    index: state.turns.length,
    observation: observation.text,
    availableActions: [...observation.availableActions],
    prompt: null,
    reply,
    thought,
    action,
    formatOk,
    admissible: observation.availableActions.includes(action),
    valid: result?.valid ?? false,
    reward: result?.reward ?? 0,
    promptTokens: prompt.length,
    replyTokens: sampled.tokens.length,
    tokens: recorded ? recordedTokens(sampled, settings.tokenizer) : null,
    ...before,
  });
  state.tokens.push({ prompt, reply: sampled.tokens, logprobs: sampled.logprobs });
  state.past.push({ observation, reply, action });
  if (!result) return;
  state.reward += result.reward;
  state.success ||= result.success;
  state.observation = result.observation;
  if (result.done) state.stopReason = stopReasonOf(result);
}

/** The environment's answer, or null where it threw: the episode then ends as a failed trajectory. */
function stepOrFail<T extends Task>(state: LiveEpisode<T>, action: string): StepResult | null {
  try {
    return state.episode.step(action);
  } catch (error) {
    state.stopReason = 'error';
    state.error = {
      stage: 'environment step',
      message: error instanceof Error ? error.message : String(error),
    };
    return null;
  }
}

/** The reply as text, without the id that ended it. */
function replyText<T extends Task>(tokens: number[], { tokenizer, stopTokens }: PlaySettings<T>): string {
  const last = tokens[tokens.length - 1];
  return tokenizer.decode(last !== undefined && stopTokens.includes(last) ? tokens.slice(0, -1) : tokens);
}

function recordedTokens({ tokens, logprobs }: SampledSequence, tokenizer: Tokenizer): Turn['tokens'] {
  return {
    ids: tokens,
    texts: tokens.map((id) => tokenizer.decode([id])),
    logprobs: logprobs.map((logprob) => (Number.isFinite(logprob) ? logprob : null)),
  };
}

function stopReasonOf(result: StepResult): StopReason {
  if (result.success) return 'success';
  return result.truncated ? 'turn_limit' : 'failure';
}

function finish<T extends Task>(state: LiveEpisode<T>, settings: PlaySettings<T>): PlayedEpisode {
  const { request, episode, turns } = state;
  const trajectory: Trajectory = {
    step: settings.step,
    phase: settings.phase,
    split: request.task.split,
    taskId: request.task.id,
    taskType: request.task.taskType,
    goal: episode.goal,
    group: request.group,
    sample: request.sample,
    decoding: settings.decoding,
    seed: request.seed,
    reward: state.reward,
    shapedReward: null,
    advantage: null,
    success: state.success,
    turnsCount: turns.length,
    invalidActions: turns.filter((turn) => !turn.valid).length,
    promptTokens: turns.reduce((sum, turn) => sum + turn.promptTokens, 0),
    replyTokens: turns.reduce((sum, turn) => sum + turn.replyTokens, 0),
    stopReason: state.stopReason ?? 'failure',
    flags: [],
    error: state.error,
    turns,
    finalPicture: state.recorded ? encodeGridPicture(episode.picture()) : null,
    finalObservation: state.observation.text,
  };
  return { trajectory, tokens: state.tokens };
}
