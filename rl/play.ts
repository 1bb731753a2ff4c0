import { AppError } from '@/contract/errors';
import type { Task } from './environments/environment';
import {
  LiveEpisode,
  type PendingCall,
  type PlayedEpisode,
  type PlayRequest,
  type PlaySettings,
} from './live-episode';

export { type CallTokens, callsBefore } from './call-tokens';
export type { EpisodeOpening, PlayedEpisode, PlayRequest, PlaySettings } from './live-episode';

export interface PlayedBatch {
  /** In the order of the requests. */
  episodes: PlayedEpisode[];
  /** Seconds outside the engine: environment, prompts, parsing; summed over lanes. */
  environmentS: number;
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
  const { scaffold, clock } = settings;
  let environmentS = 0;

  async function playLane(lane: number): Promise<void> {
    let mark = clock();
    const answer = async (calls: readonly PendingCall[]): Promise<void> => {
      if (calls.length === 0) return;
      environmentS += clock() - mark;
      const replies = await settings.respond(
        calls.map(({ pending }) => pending),
        lane,
      );
      mark = clock();
      if (replies.length !== calls.length)
        throw new AppError(
          'internal',
          `expected ${calls.length} replies of lane ${lane}, got ${replies.length}`,
        );
      await Promise.all(
        replies.map((reply, i) => (reply === null ? calls[i]?.refuse() : calls[i]?.take(reply))),
      );
    };

    const started = await Promise.all(
      requests.flatMap((request, index) =>
        laneOf(request, index, settings.lanes) === lane ? [LiveEpisode.start(request, index, settings)] : [],
      ),
    );
    try {
      settings.checkOpenings?.(started.flatMap(({ opening }) => opening ?? []));
      let live = started.filter(isLive);
      if (scaffold.strategyCall) await answer(live.flatMap((episode) => episode.pendingNote('strategy')));
      while (live.length) {
        await answer(live.flatMap((episode) => episode.pendingAction()));
        live = live.filter(isLive);
        if (scaffold.memoryCall) await answer(live.flatMap((episode) => episode.pendingNote('memory')));
      }
    } finally {
      await Promise.all(started.map((episode) => episode.close()));
    }
    for (const episode of started) played[episode.index] = episode.finish();
    environmentS += clock() - mark;
  }

  await Promise.all(Array.from({ length: settings.lanes }, (_, lane) => playLane(lane)));
  return { episodes: played, environmentS };
}

function isLive<T extends Task>(episode: LiveEpisode<T>): boolean {
  return episode.stopReason === null;
}

/** A group stays on one lane, where its equal prompts are computed once. */
export function laneOf<T extends Task>(request: PlayRequest<T>, index: number, lanes: number): number {
  return (request.group ?? index) % lanes;
}
