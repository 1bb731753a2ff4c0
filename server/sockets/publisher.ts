import type { PublishedEvent } from '@/contract/run-events';
import type { RunAttempt } from '@/contract/socket';
import { RUNS_ROOM, runRoom, workerRoom } from './names';
import type { SocketServer, WorkerNamespace } from './names';

/** At most one word a run and interval to the list of runs: a run that trains says something every moment. */
const LIST_INTERVAL_MS = 250;

/** Tells sockets what is stored already. Called after the transaction that stored it, never before. */
export interface Publisher {
  /** Events of a run, in the order of their positions, and that its row in the list changed. */
  runEvents(runId: string, events: readonly PublishedEvent[]): void;
  /** The detectors have read a run; what changed its alerts shows in the list as well. */
  analysed(runId: string, alertsChanged: boolean): void;
  /** A run was launched or queued again: workers without one shall ask. */
  workAvailable(runId: string): void;
  stopAsked(workerId: string, attempt: RunAttempt): void;
  /** A person told a play by hand something: its worker shall ask. */
  commanded(workerId: string, attempt: RunAttempt): void;
  workersChanged(): void;
  /** Ends the timers of words that wait. */
  close(): void;
}

export function createPublisher(browsers: SocketServer, workers: WorkerNamespace): Publisher {
  const waiting = new Map<string, NodeJS.Timeout>();

  function listChanged(runId: string): void {
    if (waiting.has(runId)) return;
    const timer = setTimeout(() => {
      waiting.delete(runId);
      browsers.to(RUNS_ROOM).emit('runs:changed', { runId });
    }, LIST_INTERVAL_MS);
    timer.unref();
    waiting.set(runId, timer);
  }

  return {
    runEvents(runId, events) {
      if (events.length === 0) return;
      browsers.to(runRoom(runId)).emit('run:events', { runId, events: [...events] });
      listChanged(runId);
    },
    analysed(runId, alertsChanged) {
      const rooms = alertsChanged ? [runRoom(runId), RUNS_ROOM] : runRoom(runId);
      browsers.to(rooms).emit('run:analysed', { runId });
      // What a command has written beside the server is heard of by this alone.
      listChanged(runId);
    },
    workAvailable(runId) {
      workers.emit('work:available');
      listChanged(runId);
    },
    stopAsked(workerId, attempt) {
      workers.to(workerRoom(workerId)).emit('run:stop', attempt);
    },
    commanded(workerId, attempt) {
      workers.to(workerRoom(workerId)).emit('run:commanded', attempt);
    },
    workersChanged() {
      browsers.emit('workers:changed');
    },
    close() {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
