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
    capabilities: { engines: ['onnx'], devices: ['cpu'], recipes: ['grpo'], environments: ['babyai'] },
    ...changes,
  };
  return connected(
    io(`${url}/worker`, { forceNew: true, auth, reconnectionDelay: 50, reconnectionDelayMax: 200 }),
  );
}

/** Settles with the first connection only: later errors are of a server that is away, and pass. */
function connected<S extends Socket>(socket: S): Promise<S> {
  return new Promise((resolve, reject) => {
    const refused = (error: Error) => {
      socket.close();
      reject(error);
    };
    socket.once('connect_error', refused);
    socket.once('connect', () => {
      socket.off('connect_error', refused);
      resolve(socket);
    });
  });
}

/** The value of an answer; throws what the server said instead. */
export function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new Error(`${answer.error.code}: ${answer.error.message}`);
}
