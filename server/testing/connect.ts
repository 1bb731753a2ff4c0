import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import type {
  Answer,
  BrowserToServer,
  ServerToBrowser,
  ServerToWorker,
  WorkerHandshake,
  WorkerToServer,
} from '@/contract/socket';
import { PROTOCOL_VERSION } from '@/contract/version';

export type BrowserClient = Socket<ServerToBrowser, BrowserToServer>;
export type WorkerClient = Socket<ServerToWorker, WorkerToServer>;

/** A browser's socket, connected. */
export function connectBrowser(url: string): Promise<BrowserClient> {
  return connected(io(url, { forceNew: true, reconnectionDelay: 50, reconnectionDelayMax: 200 }));
}

/** A worker's socket, connected; rejects with the server's refusal. */
export function connectWorker(
  url: string,
  token: string,
  changes: Partial<WorkerHandshake> = {},
): Promise<WorkerClient> {
  const auth: WorkerHandshake = {
    token,
    protocol: PROTOCOL_VERSION,
    workerId: 'test-worker',
    name: 'test worker',
    capabilities: { engines: ['onnx'], devices: ['cpu'], recipes: ['grpo'] },
    ...changes,
  };
  return connected(
    io(`${url}/worker`, { forceNew: true, auth, reconnectionDelay: 50, reconnectionDelayMax: 200 }),
  );
}

function connected<S extends Socket>(socket: S): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', (error) => {
      socket.close();
      reject(error);
    });
  });
}

/** The value of an answer; throws what the server said instead. */
export function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.error.code}: ${answer.error.message}`);
}
