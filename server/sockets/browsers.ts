import { z } from 'zod';
import { WatchRun } from '@/contract/socket';
import type { BrowserToServer, WatchedRun } from '@/contract/socket';
import { parseOrThrow } from '@/contract/parse';
import { eventsAfter } from '../runs/queries';
import type { Runtime } from '../runtime';
import { answerWith } from './answer';
import type { HandlersUnderWay } from './handlers';
import { refuseOtherShapes } from './message-shape';
import { RUNS_ROOM, runRoom } from './names';
import type { BrowserSocket, SocketServer } from './names';

const UnwatchRun = z.object({ runId: WatchRun.shape.runId });

/** Handles the sockets of browsers: which runs they watch, and what they missed. */
export function serveBrowsers(browsers: SocketServer, runtime: Runtime, handlers: HandlersUnderWay): void {
  browsers.on('connection', (socket) => {
    refuseOtherShapes<keyof BrowserToServer>(socket, {
      'run:watch': { request: true, answered: true },
      'run:unwatch': { request: true, answered: false },
      'runs:watch': { request: false, answered: true },
    });
    socket.on('run:watch', (request, acknowledge) =>
      handlers.start(() => answerWith('run:watch', acknowledge, () => watch(socket, runtime, request))),
    );
    socket.on('run:unwatch', (request) =>
      handlers.start(() =>
        answerWith('run:unwatch', undefined, async () => {
          const { runId } = parseOrThrow(UnwatchRun, request, 'run:unwatch');
          await socket.leave(runRoom(runId));
        }),
      ),
    );
    socket.on('runs:watch', (acknowledge) =>
      handlers.start(() =>
        answerWith('runs:watch', acknowledge, async () => {
          await socket.join(RUNS_ROOM);
          return null;
        }),
      ),
    );
  });
}

/** Joins before it reads: an event stored in between is then heard live, at worst twice, never not at all. */
async function watch(socket: BrowserSocket, runtime: Runtime, request: unknown): Promise<WatchedRun> {
  const { runId, afterPosition } = parseOrThrow(WatchRun, request, 'run:watch');
  const room = runRoom(runId);
  const wasWatching = socket.rooms.has(room);
  await socket.join(room);
  try {
    const { events, refetch } = await eventsAfter(runtime.database, runId, afterPosition);
    return refetch ? { kind: 'refetch' } : { kind: 'events', events };
  } catch (error) {
    if (!wasWatching) await socket.leave(room);
    throw error;
  }
}
