import type { ChatEndpoint, ChatReply } from '@/contract/endpoint';
import type { PlayedTrajectory } from '@/contract/trajectory';
import type { Task } from '@/rl/environments/environment';
import { playEpisodes, type PlayRequest, type PlaySettings } from '@/rl/play';
import { endpointMessages, replyText } from './chat-messages';
import { orTooLong } from './or-too-long';
import { END, readMessages, TEXT_TOKENS, withoutEnd } from './text-tokens';

export interface ChatPlaySettings<T extends Task> extends Pick<
  PlaySettings<T>,
  'environment' | 'scaffold' | 'step' | 'phase' | 'decoding' | 'clock'
> {
  endpoint: ChatEndpoint;
  temperature: number;
  topP: number;
  maxReplyTokens: number;
  /** Whether the model is given back its thinking of earlier turns. */
  replaysReasoning: boolean;
}

/**
 * Plays one episode with a model behind an API. Its record counts tokens as the API bills them. A prompt that the API finds too
 * long ends it with `context_limit`.
 */
export async function playChat<T extends Task>(
  request: PlayRequest<T>,
  settings: ChatPlaySettings<T>,
): Promise<PlayedTrajectory> {
  const { endpoint, temperature, topP, maxReplyTokens, replaysReasoning, ...play } = settings;
  const { tools } = settings.scaffold;
  const hasTools = tools !== undefined;
  const replies: ChatReply[] = [];

  async function replyTo(prompt: readonly number[], seed: number) {
    const reply = await orTooLong(
      endpoint.chat({
        messages: endpointMessages(readMessages(prompt), { hasTools, replaysReasoning }),
        ...(tools && { tools }),
        maxTokens: maxReplyTokens,
        temperature,
        topP,
        seed,
      }),
    );
    if (reply === null) return null;
    replies.push(reply);
    const text = TEXT_TOKENS.encode(withoutEnd(replyText(reply, hasTools)));
    const tokens = reply.stopReason === 'stop' ? [...text, END] : text;
    return { tokens, logprobs: tokens.map(() => NaN), stopReason: reply.stopReason };
  }

  const { episodes } = await playEpisodes([request], {
    ...play,
    tokenizer: TEXT_TOKENS,
    stopTokens: [END],
    // One episode has one call at a time, so that replies come in the order of its calls.
    respond: (pending) => Promise.all(pending.map(({ prompt, seed }) => replyTo(prompt, seed))),
    lanes: 1,
    maxPromptTokens: Infinity,
    records: () => true,
  });
  const [episode] = episodes;
  // A play gives an episode for each request.
  if (!episode) throw new Error(`${request.task.id} was not played`);
  return withBilledTokens(
    episode.trajectory,
    episode.calls.map(({ call }) => call),
    replies,
  );
}

/** A record with the tokens that its calls were billed for, and none of the text's own. */
function withBilledTokens(
  trajectory: PlayedTrajectory,
  calls: readonly ('action' | 'strategy' | 'memory')[],
  replies: readonly ChatReply[],
): PlayedTrajectory {
  const billed = replies.map(({ usage }) => usage);
  const acting = billed.filter((_, index) => calls[index] === 'action');
  const sum = (of: (usage: NonNullable<ChatReply['usage']>) => number) =>
    billed.reduce((total, usage) => total + (usage ? of(usage) : 0), 0);
  const saysReuse = billed.every((usage) => usage !== null && usage.cachedPromptTokens !== null);
  return {
    ...trajectory,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    replyTokens: sum(({ replyTokens }) => replyTokens),
    prefilledTokens: saysReuse
      ? sum(({ promptTokens, cachedPromptTokens }) => promptTokens - (cachedPromptTokens ?? 0))
      : null,
    flags: billed.includes(null)
      ? [...withoutRewriting(trajectory.flags), 'tokens_unknown']
      : withoutRewriting(trajectory.flags),
    turns: trajectory.turns.map((turn, index) => ({
      ...turn,
      promptTokens: acting[index]?.promptTokens ?? 0,
      replyTokens: acting[index]?.replyTokens ?? 0,
      tokens: null,
    })),
  };
}

/** How ids went on from each other says nothing of messages. */
function withoutRewriting(flags: readonly string[]): string[] {
  return flags.filter((flag) => flag !== 'history_rewritten');
}
