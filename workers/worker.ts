import type { CodeVersion } from '@/contract/code-version';
import { RECIPE_IDS } from '@/contract/recipes/registry';
import { REQUESTED_RECIPE_IDS } from '@/contract/recipes/requested';
import type { ClaimedRun, RunAttempt, WorkerCapabilities, WorkerHandshake } from '@/contract/socket';
import { PROTOCOL_VERSION } from '@/contract/version';
import { AppError } from '@/contract/errors';
import { CheckpointStore } from './checkpoints/checkpoint-store';
import { CheckpointUploader } from './checkpoints/uploader';
import { BlobClient } from './connection/blob-client';
import { CommandFeed } from './connection/command-feed';
import { ServerConnection } from './connection/server-connection';
import { trajectoriesOfServer, trajectoryOfServer } from './trajectories/server-trajectories';
import { DiskRoom } from './disk-room';
import { earlierEvaluationsOf } from './run/earlier-evaluations';
import { earlierPointsOf } from './run/earlier-points';
import { offeredDevices, offeredEngines } from './engines/engine';
import { offeredEnvironments } from './environments/open-environment';
import type { WorkerSettings } from './env';
import type { Machine } from './machine';
import { Outbox, type OutgoingAttempt } from './outbox/outbox';
import { orAborted, pause } from './retry';
import { Heartbeat } from './run/heartbeat';
import { type AttemptContext, runAttempt } from './run/run-attempt';
import { StopControl } from './run/stop-control';
import type { WorkerHome } from './worker-home';

/** A run queued while the worker was busy or away is found by asking; `work:available` only makes it faster. */
const CLAIM_EVERY_MS = 3000;
/** What a worker that shuts down waits for a server, beyond the grace of its run. */
const LEAVING_MS = 10_000;

export interface WorkerParts {
  prepareRun: AttemptContext['prepareRun'];
  createEngine: AttemptContext['createEngine'];
  machine: Machine;
  code: CodeVersion;
  /** ms since 1970 */
  now(): number;
  /** One line for whoever watches the worker. */
  say(line: string): void;
}

/** The attempt at hand, as sockets and signals reach it. */
interface CurrentAttempt {
  attempt: RunAttempt;
  stop: StopControl;
  heartbeat: Heartbeat;
}

/** Claims runs one at a time and trains them, until it is shut down. */
export class Worker {
  private readonly connection: ServerConnection;
  private readonly blobs: BlobClient;
  private readonly store: CheckpointStore;
  private readonly outbox: Outbox;
  private readonly commands: CommandFeed;
  private readonly room: DiskRoom;
  private readonly shuttingDown = new AbortController();
  private readonly leaving = new AbortController();
  private current: CurrentAttempt | null = null;
  private wake: () => void = () => undefined;
  /** Until the server first takes this worker: it may be the token or the version that is wrong. */
  private readonly welcome: { promise: Promise<void>; reject(reason: AppError): void };

  constructor(
    private readonly settings: WorkerSettings,
    private readonly home: WorkerHome,
    private readonly parts: WorkerParts,
  ) {
    const { server, token, name } = settings;
    this.welcome = rejectable();
    this.room = new DiskRoom(home.dir, parts.say);
    this.blobs = new BlobClient(server, token);
    this.store = new CheckpointStore(home.checkpointsDir);
    const handshake = (): WorkerHandshake => ({
      token,
      protocol: PROTOCOL_VERSION,
      workerId: home.workerId,
      name,
      capabilities: this.capabilities(),
      report: parts.machine.report,
      code: parts.code,
    });
    this.connection = new ServerConnection(server, handshake, {
      connected: () => this.onConnected(),
      disconnected: (reason) => parts.say(`the server is away (${reason}); trying again`),
      refused: (message) => this.onRefused(message),
      stopAsked: (attempt) => this.onStopAsked(attempt),
      commanded: () => this.commands.commanded(),
      workAvailable: () => this.wake(),
    });
    this.commands = new CommandFeed(this.connection, () => performance.now());
    parts.machine.onReading(() => void this.sendReport());
    this.outbox = new Outbox(home.outboxDir, {
      sink: {
        connected: (signal) => this.connection.connected(signal),
        append: (batch) => this.connection.append(batch),
        putBlob: (sha256, bytes) => this.blobs.putBytes(sha256, bytes, this.leaving.signal),
      },
      now: parts.now,
      say: parts.say,
    });
  }

  /** Works until shut down. Throws where the server refuses this worker before it ever took it. */
  async run(): Promise<void> {
    const { signal } = this.shuttingDown;
    try {
      await Promise.race([this.connection.connected(signal), this.welcome.promise]);
      await this.finishEarlierLives();
      while (!signal.aborted) {
        const claimed = await this.claim();
        if (claimed) await this.work(claimed);
        else await this.idle(signal);
      }
    } finally {
      this.connection.close();
    }
  }

  /** Ends the step at hand, writes its checkpoint and leaves the run to another attempt. */
  shutDown(): void {
    if (this.shuttingDown.signal.aborted) return;
    this.shuttingDown.abort();
    this.current?.stop.request('shutdown');
    const limitMs = LEAVING_MS + (this.current ? this.settings.stopGraceMs : 0);
    void pause(limitMs, this.leaving.signal).then(() => this.leaving.abort());
    this.wake();
  }

  /** Sends what earlier processes in this folder left: events, then the checkpoints that were still to be uploaded. */
  private async finishEarlierLives(): Promise<void> {
    const left = this.outbox.recover(() => ({ superseded: () => undefined, undeliverable: () => undefined }));
    const checkpoints = await this.store.list();
    for (const outgoing of left) {
      const { runId, attempt } = outgoing.attempt;
      this.parts.say(`run ${runId} attempt ${attempt}: sending what an earlier process left`);
      const saved = checkpoints.filter(
        (local) => local.runId === runId && local.attempt === attempt && local.state === 'saved',
      );
      const uploader = new CheckpointUploader(this.store, this.blobs, this.home.workerId);
      for (const local of saved) uploader.enqueue(local, (event) => outgoing.append(event));
      try {
        await uploader.idle(this.leaving.signal);
      } catch (error) {
        this.parts.say(`run ${runId} attempt ${attempt}: a checkpoint was not uploaded: ${messageOf(error)}`);
      }
      await uploader.stop();
      await outgoing.finish(this.leaving.signal);
    }
  }

  private async claim(): Promise<ClaimedRun | null> {
    if (!this.connection.isConnected || !this.room.isEnough()) return null;
    try {
      return await this.connection.claim();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.parts.say(`no run could be claimed: ${error.message}`);
      return null;
    }
  }

  private async idle(signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await orAborted(Promise.race([woken, pause(CLAIM_EVERY_MS, waiting.signal)]), signal);
    waiting.abort();
  }

  private async work(claimed: ClaimedRun): Promise<void> {
    const { parts, store, blobs, home } = this;
    const attempt: RunAttempt = { runId: claimed.runId, attempt: claimed.attempt };
    const title = `run ${claimed.runId} attempt ${claimed.attempt}`;
    const resumed = claimed.resumeFrom ? `, from the checkpoint of step ${claimed.resumeFrom.step}` : '';
    parts.say(`${title}: claimed ${claimed.recipe} ${claimed.preset} "${claimed.name}"${resumed}`);
    const stop = new StopControl(this.settings.stopGraceMs);
    const heartbeat = new Heartbeat(
      attempt,
      this.connection,
      (control) => {
        if (control !== 'continue') stop.request(control);
      },
      claimed.heartbeatMs,
    );
    this.current = { attempt, stop, heartbeat };
    if (this.shuttingDown.signal.aborted) stop.request('shutdown');
    const uploader = new CheckpointUploader(store, blobs, home.workerId);
    let outgoing: OutgoingAttempt | null = null;
    try {
      outgoing = this.outbox.open(attempt, {
        superseded: () => stop.request('end'),
        undeliverable: () => stop.request('end'),
      });
      const ending = await runAttempt(claimed, {
        outgoing,
        store,
        uploader,
        blobs,
        stop,
        prepareRun: parts.prepareRun,
        createEngine: (spec) => parts.createEngine(spec),
        trajectory: (id, signal) => trajectoryOfServer(this.settings.server, id, signal),
        nextCommand: (...request) => this.commands.next(...request),
        trajectories: (filter, signal) => trajectoriesOfServer(this.settings.server, filter, signal),
        earlierEvaluations: (runId, signal) => earlierEvaluationsOf(this.settings.server, runId, signal),
        earlierPoints: (runId, toStep, signal) =>
          earlierPointsOf(this.settings.server, runId, toStep, signal),
        workerId: home.workerId,
        leaving: this.leaving.signal,
        now: () => parts.now(),
      });
      // A beat after the run is handed back would take it back.
      if (ending?.status === 'queued' || ending?.awaitsPerson) heartbeat.stop();
      const why = ending?.reason ? `: ${ending.reason}` : '';
      parts.say(`${title}: ${ending ? `${ending.status}${why}` : `left (${stop.reason ?? 'taken away'})`}`);
    } catch (error) {
      parts.say(`${title}: given up, its lease will run out: ${messageOf(error)}`);
    } finally {
      stop.settle();
      await uploader.stop();
      const delivered = await outgoing?.finish(this.leaving.signal);
      if (delivered === false) parts.say(`${title}: what the server has not taken stays in the outbox`);
      heartbeat.stop();
      this.current = null;
    }
  }

  private onConnected(): void {
    this.parts.say(`connected to ${this.settings.server} as ${this.home.workerId} "${this.settings.name}"`);
    void this.current?.heartbeat.rejoin();
    this.wake();
  }

  /** A report that is not taken is followed by the next one. */
  private async sendReport(): Promise<void> {
    const { report } = this.parts.machine;
    if (!report || !this.connection.isConnected) return;
    await this.connection.report(report).catch(() => undefined);
  }

  private onRefused(message: string): void {
    this.parts.say(`refused by ${this.settings.server}: ${message}`);
    this.welcome.reject(
      new AppError('unauthorized', `${this.settings.server} refused this worker: ${message}`),
    );
  }

  private onStopAsked({ runId, attempt }: RunAttempt): void {
    const { current } = this;
    if (current?.attempt.runId !== runId || current.attempt.attempt !== attempt) return;
    this.parts.say(`run ${runId} attempt ${attempt}: asked to stop`);
    current.stop.request('stop');
  }

  private capabilities(): WorkerCapabilities {
    return {
      engines: offeredEngines(),
      devices: offeredDevices(this.parts.machine.report?.cuda),
      recipes: [...RECIPE_IDS, ...REQUESTED_RECIPE_IDS],
      environments: offeredEnvironments(),
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A promise that only ever rejects, and whose rejection nobody has to hear. */
function rejectable(): { promise: Promise<void>; reject(reason: AppError): void } {
  let reject: (reason: AppError) => void = () => undefined;
  const promise = new Promise<void>((_, refuse) => {
    reject = refuse;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}
