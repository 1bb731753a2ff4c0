import { io, type Socket } from 'socket.io-client';
import { AppError, type ErrorBody } from '@/contract/errors';
import type { StoredCommand } from '@/contract/play';
import type {
  AppendedEvents,
  AppendEvents,
  ClaimedRun,
  CommandsAfter,
  Control,
  RunAttempt,
  ServerToWorker,
  WorkerHandshake,
  WorkerToServer,
  Answer,
} from '@/contract/socket';
import type { WorkerReport } from '@/contract/worker-report';
import { orAborted, pause } from '../retry';

/** Longer than a stored batch ever takes; a lost answer is asked for again after it. */
const ANSWER_TIMEOUT_MS = 20_000;
const RECONNECT_MS = 200;
/** Well below a lease: a server that comes back sweeps one lease later, and must have heard of every run by then. */
const LONGEST_RECONNECT_MS = 1000;
/** A server that refused may be another one, or know the token, later. */
const REFUSED_RETRY_MS = 10_000;

export interface ConnectionListener {
  connected(): void;
  disconnected(reason: string): void;
  /** The server answered, and does not take this worker: token, protocol version. */
  refused(message: string): void;
  stopAsked(attempt: RunAttempt): void;
  /** A person told a play by hand something. */
  commanded(attempt: RunAttempt): void;
  workAvailable(): void;
}

/** The worker's socket. Reconnects for as long as it is open; requests never wait for a connection. */
export class ServerConnection {
  private readonly socket: Socket<ServerToWorker, WorkerToServer>;
  private readonly closing = new AbortController();
  private waiting: (() => void)[] = [];

  /** `handshake` is asked anew each time it connects, for the worker's report changes. */
  constructor(url: string, handshake: () => WorkerHandshake, listener: ConnectionListener) {
    this.socket = io(`${url}/worker`, {
      auth: (introduce: (handshake: WorkerHandshake) => void) => introduce(handshake()),
      transports: ['websocket'],
      reconnectionDelay: RECONNECT_MS,
      reconnectionDelayMax: LONGEST_RECONNECT_MS,
    });
    this.socket.on('connect', () => {
      for (const resolve of this.waiting.splice(0)) resolve();
      listener.connected();
    });
    this.socket.on('disconnect', (reason) => {
      if (this.closing.signal.aborted) return;
      listener.disconnected(reason);
      if (reason === 'io server disconnect') this.reconnectLater(RECONNECT_MS);
    });
    this.socket.on('connect_error', (error) => {
      // An active socket tries again by itself; an inactive one was refused by the server's handshake.
      if (this.socket.active) return;
      listener.refused(refusalOf(error));
      this.reconnectLater(REFUSED_RETRY_MS);
    });
    this.socket.on('run:stop', (attempt) => listener.stopAsked(attempt));
    this.socket.on('run:commanded', (attempt) => listener.commanded(attempt));
    this.socket.on('work:available', () => listener.workAvailable());
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  /** Resolves once connected, or when `signal` aborts. */
  async connected(signal: AbortSignal): Promise<void> {
    if (this.socket.connected || signal.aborted) return;
    await orAborted(new Promise<void>((resolve) => this.waiting.push(resolve)), signal);
  }

  claim(): Promise<ClaimedRun | null> {
    return this.ask<ClaimedRun | null>((socket) => socket.emitWithAck('run:claim'));
  }

  heartbeat(attempt: RunAttempt): Promise<{ control: Control }> {
    return this.ask((socket) => socket.emitWithAck('run:heartbeat', attempt));
  }

  /** What the server wants of an attempt that was out of touch. */
  async rejoin(attempt: RunAttempt): Promise<{ control: Control }> {
    const [answer] = await this.ask<{ control: Control }[]>((socket) =>
      socket.emitWithAck('run:rejoin', [attempt]),
    );
    if (!answer) throw new AppError('internal', 'run:rejoin was answered without a control');
    return answer;
  }

  /** What the worker says of its machine and its engines now. */
  report(report: WorkerReport): Promise<null> {
    return this.ask<null>((socket) => socket.emitWithAck('worker:report', report));
  }

  /** What a person has told a play by hand since a command. */
  commandsAfter(request: CommandsAfter): Promise<StoredCommand[]> {
    return this.ask<StoredCommand[]>((socket) => socket.emitWithAck('run:commands', request));
  }

  append(batch: AppendEvents): Promise<AppendedEvents> {
    return this.ask((socket) => socket.emitWithAck('events:append', batch));
  }

  close(): void {
    this.closing.abort();
    this.socket.disconnect();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Throws `unavailable` without a connection or an answer in time, otherwise what the server answered. */
  private async ask<T>(
    emit: (socket: ReturnType<Socket<ServerToWorker, WorkerToServer>['timeout']>) => Promise<Answer<T>>,
  ): Promise<T> {
    if (!this.socket.connected) throw new AppError('unavailable', 'the server is away');
    let answer: Answer<T>;
    try {
      answer = await emit(this.socket.timeout(ANSWER_TIMEOUT_MS));
    } catch (error) {
      throw new AppError('unavailable', 'the server did not answer', [], { cause: error });
    }
    if (answer.ok) return answer.value;
    throw new AppError(answer.error.code, answer.error.message, answer.error.issues);
  }

  private reconnectLater(waitMs: number): void {
    void pause(waitMs, this.closing.signal).then(() => {
      if (!this.closing.signal.aborted) this.socket.connect();
    });
  }
}

function refusalOf(error: Error & { data?: Partial<ErrorBody> }): string {
  return error.data?.error?.message ?? error.message;
}
