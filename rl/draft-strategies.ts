import type { Task } from './environments/environment';
import { callTokens, type CallTokens } from './call-tokens';
import { replyText } from './conversation-ids';
import { LiveEpisode, type PlayedEpisode, type PlayRequest, type PlaySettings } from './live-episode';
import { laneOf } from './play';
import { hashSeed } from './random';

/** A strategy as it was written, to be played or not: episodes go on from its call. */
export interface StrategyDraft {
  call: CallTokens;
  reply: string;
  /** What later prompts show; null where the reply broke the format. */
  text: string | null;
}

/** The drafts of a task; where it could not be started or asked about, none, and the episode that says why. */
export interface TaskDrafts {
  drafts: StrategyDraft[];
  failed: PlayedEpisode | null;
}

/**
 * Asks `count` times for a strategy before the first turn of each request's task, in the order of the requests. The scaffold
 * has a strategy call. Draft i draws from hash(seed of the request's strategy, i).
 */
export async function draftStrategies<T extends Task>(
  requests: readonly PlayRequest<T>[],
  count: number,
  settings: PlaySettings<T>,
): Promise<TaskDrafts[]> {
  const drafted = new Array<TaskDrafts>(requests.length);

  async function draftLane(lane: number): Promise<void> {
    const started = await Promise.all(
      requests.flatMap((request, index) =>
        laneOf(request, index, settings.lanes) === lane ? [LiveEpisode.start(request, index, settings)] : [],
      ),
    );
    try {
      const asked = started.map((episode) => ({
        episode,
        pending: episode.stopReason === null ? episode.pendingNote('strategy')[0]?.pending : undefined,
      }));
      const calls = asked.flatMap(({ pending }) =>
        pending
          ? Array.from({ length: count }, (_, i) => ({ ...pending, seed: hashSeed(pending.seed, i) }))
          : [],
      );
      const replies = calls.length > 0 ? await settings.respond(calls, lane) : [];
      for (const { episode, pending } of asked)
        drafted[episode.index] = pending
          ? {
              drafts: replies.splice(0, count).flatMap((sampled) => {
                if (sampled === null) return [];
                const reply = replyText(sampled.tokens, settings);
                const text = settings.scaffold.strategyCall?.parse(reply) ?? null;
                return [{ call: callTokens('strategy', pending.prompt, sampled), reply, text }];
              }),
              failed: null,
            }
          : { drafts: [], failed: episode.finish() };
    } finally {
      await Promise.all(started.map((episode) => episode.close()));
    }
  }

  await Promise.all(Array.from({ length: settings.lanes }, (_, lane) => draftLane(lane)));
  return drafted;
}
