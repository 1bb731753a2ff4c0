import { z } from 'zod';
import { toErrorBody } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { AppendEvents, CommandsAfter, RunAttempt } from '@/contract/socket';
import type { AppendedEvents, ClaimedRun, Control, WorkerToServer } from '@/contract/socket';
import { WorkerReport } from '@/contract/worker-report';
import { registerWorker, setConnected, storeReport } from '@/server/workers/registry';
import { appendEvents } from '../ingest/append-events';
import { toAppError } from '../http/error-door';
import { commandsAfter } from '../play/commands';
import { claimRun } from '../queue/claim';
import { heartbeat } from '../queue/heartbeat';
import { takeBackLeft } from '../queue/sweep';
import type { Runtime } from '../runtime';
import { answerWith, storeThenTell } from './answer';
import type { Untold } from './answer';
import { resolveBatch } from './batch-blobs';
import { turnTaker } from './handlers';
import type { HandlersUnderWay } from './handlers';
import { refuseOtherShapes } from './message-shape';
import { workerRoom } from './names';
import type { WorkerNamespace, WorkerSocket } from './names';
import { acceptWorker } from './worker-handshake';

const RunAttempts = z.array(RunAttempt).max(1000);

/** Handles the sockets of workers. Each message is validated, stored, acknowledged and published, in that order. */
export function serveWorkers(workers: WorkerNamespace, runtime: Runtime, handlers: HandlersUnderWay): void {
  const current = new Map<string, WorkerSocket>();

  workers.use((socket, next) => {
    admit(socket, runtime).then(
      () => next(),
      (thrown: unknown) => {
        const error = toAppError(thrown, 'worker handshake');
        next(Object.assign(new Error(error.message), { data: toErrorBody(error) }));
      },
    );
  });

  workers.on('connection', (socket) => {
    const { workerId } = socket.data.worker;
    // The older connection of a worker that came back is dead, or another process in the same folder.
    const older = current.get(workerId);
    current.set(workerId, socket);
    older?.disconnect(true);
    handlers.start(() => answerWith('connection', undefined, () => welcome(socket, runtime)));
    socket.on('disconnect', () => {
      if (current.get(workerId) !== socket) return;
      current.delete(workerId);
      handlers.start(() =>
        answerWith('disconnect', undefined, async () => {
          if (current.has(workerId)) return;
          await setConnected(runtime.database, workerId, false);
          runtime.publisher.workersChanged();
        }),
      );
    });
    serveWorker(socket, runtime, handlers);
  });
}

/** Registers before the connection is open: a worker may claim with its first message. */
async function admit(socket: WorkerSocket, { database }: Runtime): Promise<void> {
  const worker = await acceptWorker(database, socket.handshake.auth);
  socket.data.connectedAt = await registerWorker(database, worker);
  socket.data.worker = worker;
}

async function welcome(socket: WorkerSocket, { database, publisher }: Runtime): Promise<void> {
  const { workerId } = socket.data.worker;
  await socket.join(workerRoom(workerId));
  await setConnected(database, workerId, socket.connected);
  publisher.workersChanged();
}

function serveWorker(socket: WorkerSocket, runtime: Runtime, handlers: HandlersUnderWay): void {
  const { database, publisher } = runtime;
  const { worker } = socket.data;
  const inOrder = turnTaker();
  refuseOtherShapes<keyof WorkerToServer>(socket, {
    'run:claim': { request: false, answered: true },
    'run:heartbeat': { request: true, answered: true },
    'worker:report': { request: true, answered: true },
    'events:append': { request: true, answered: true },
    'run:rejoin': { request: true, answered: true },
    'run:commands': { request: true, answered: true },
  });

  socket.on('run:claim', (acknowledge) =>
    handlers.start(() =>
      storeThenTell<ClaimedRun | null>(publisher, 'run:claim', acknowledge, async () => {
        const left = await takeBackLeft(database, worker.workerId, socket.data.connectedAt, runtime.lease);
        const claim = await claimRun(database, worker, runtime.lease);
        if (!claim) return { answer: null, untold: left };
        publisher.workersChanged();
        return {
          answer: claim.claimed,
          untold: [...left, { runId: claim.claimed.runId, published: claim.published }],
        };
      }),
    ),
  );

  socket.on('run:heartbeat', (beat, acknowledge) =>
    handlers.start(() =>
      storeThenTell<{ control: Control }>(publisher, 'run:heartbeat', acknowledge, async () => {
        const attempt = parseOrThrow(RunAttempt, beat, 'run:heartbeat');
        const { control, published } = await heartbeat(database, worker.workerId, attempt);
        return { answer: { control }, untold: [{ runId: attempt.runId, published }] };
      }),
    ),
  );

  socket.on('worker:report', (message, acknowledge) =>
    handlers.start(() =>
      answerWith('worker:report', acknowledge, async () => {
        const report = parseOrThrow(WorkerReport, message, 'worker:report');
        await storeReport(database, worker.workerId, report);
        worker.report = report;
        publisher.workersChanged();
        return null;
      }),
    ),
  );

  // A batch that cites a blob takes longer than the next one: taking turns keeps seq ascending.
  socket.on('events:append', (message, acknowledge) =>
    handlers.start(() =>
      inOrder(() =>
        storeThenTell<AppendedEvents>(publisher, 'events:append', acknowledge, async () => {
          const batch = await resolveBatch(
            runtime.blobs,
            parseOrThrow(AppendEvents, message, 'events:append'),
          );
          const { answer, published } = await appendEvents(database, worker.workerId, batch);
          return { answer, untold: [{ runId: batch.runId, published }] };
        }),
      ),
    ),
  );

  socket.on('run:commands', (request, acknowledge) =>
    handlers.start(() =>
      answerWith('run:commands', acknowledge, () =>
        commandsAfter(database, worker.workerId, parseOrThrow(CommandsAfter, request, 'run:commands')),
      ),
    ),
  );
  socket.on('run:rejoin', (message, acknowledge) =>
    handlers.start(() =>
      storeThenTell<{ control: Control }[]>(publisher, 'run:rejoin', acknowledge, async () => {
        const answer: { control: Control }[] = [];
        const untold: Untold[] = [];
        for (const attempt of parseOrThrow(RunAttempts, message, 'run:rejoin')) {
          const { control, published } = await heartbeat(database, worker.workerId, attempt);
          answer.push({ control });
          untold.push({ runId: attempt.runId, published });
        }
        return { answer, untold };
      }),
    ),
  );
}
