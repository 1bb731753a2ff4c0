import { AppError } from '@/contract/errors';
import { isSuccess, type TinkerConnection } from './connection';
import { CreateSessionAnswer, SDK_VERSION } from './wire';

/** Servers unload a session's models after minutes of silence. */
const HEARTBEAT_MS = 10_000;

/** A client's session on a server: it owns models and samplers, and lives as long as its heart beats. */
export class TinkerSession {
  private models = 0;
  private samplers = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly connection: TinkerConnection,
    readonly id: string,
    heartbeatMs: number,
  ) {
    this.timer = setInterval(() => void this.beat(), heartbeatMs);
    this.timer.unref();
  }

  /** Throws where the server is away, refuses, or answers that it cannot serve. */
  static async open(connection: TinkerConnection, heartbeatMs = HEARTBEAT_MS): Promise<TinkerSession> {
    const answer = await connection.request(CreateSessionAnswer, {
      route: 'create_session',
      body: { type: 'create_session', tags: ['stepscope'], user_metadata: null, sdk_version: SDK_VERSION },
    });
    if (answer.error_message)
      throw new AppError(
        'unavailable',
        connection.hide(`${connection.placeOf({ route: 'create_session' })}: ${answer.error_message}`),
      );
    return new TinkerSession(connection, answer.session_id, heartbeatMs);
  }

  /** Number of the next model, from 0. */
  nextModel(): number {
    return this.models++;
  }

  /** Number of the next sampling session, from 0. */
  nextSampler(): number {
    return this.samplers++;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A beat that is lost says nothing, for the next one follows; a session that is unknown is over. */
  private async beat(): Promise<void> {
    const request = {
      route: 'session_heartbeat',
      body: { session_id: this.id, type: 'session_heartbeat' },
      timeoutMs: HEARTBEAT_MS,
    };
    try {
      const reply = await this.connection.send(request);
      if (isSuccess(reply) || reply.status !== 404) return;
      this.close();
      this.connection.close(
        new AppError(
          'unavailable',
          `${this.connection.refusal(request, reply).message}: it has expired or the server was started anew, so its models are gone; a resume goes on from the last checkpoint`,
        ),
      );
    } catch {
      // The next request that matters tells of a server that is away.
    }
  }
}
