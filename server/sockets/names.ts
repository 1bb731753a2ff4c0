import type { DefaultEventsMap, Namespace, Server, Socket } from 'socket.io';
import type {
  BrowserToServer,
  ServerToBrowser,
  ServerToWorker,
  WorkerHandshake,
  WorkerToServer,
} from '@/contract/socket';

/** What a worker's socket carries once its handshake was accepted. */
export interface WorkerSocketData {
  worker: WorkerHandshake;
  /** When it connected, by the database's clock. */
  connectedAt: Date;
}

export type SocketServer = Server<BrowserToServer, ServerToBrowser>;
export type BrowserSocket = Socket<BrowserToServer, ServerToBrowser>;
export type WorkerNamespace = Namespace<WorkerToServer, ServerToWorker, DefaultEventsMap, WorkerSocketData>;
export type WorkerSocket = Socket<WorkerToServer, ServerToWorker, DefaultEventsMap, WorkerSocketData>;

export const RUNS_ROOM = 'runs';
export const runRoom = (runId: string) => `run:${runId}`;
export const workerRoom = (workerId: string) => `worker:${workerId}`;
