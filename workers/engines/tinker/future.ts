/** Results of submitted requests, by long polling. */
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { Reply, TinkerConnection, TinkerRequest } from './connection';
import { Patience } from './patience';
import { parseJson, quote, refusalText } from './refusal';

/** Servers hold a poll for minutes; a connection that is silent for long is cut by proxies. */
const POLL_MS = 45_000;
/** A server that answers "not yet" at once is not asked more often. */
const LEAST_BETWEEN_POLLS_MS = 200;
/** A result that has not come by then never will. */
const STUCK_MS = 2 * 3_600_000;
const BILLING_WAIT_MS = 5000;
const BILLING_LIMIT_MS = 3_600_000;
const EMPTY_REFUSALS = 3;

const TryAgain = z.object({
  type: z.literal('try_again'),
  queue_state: z.string().optional(),
  queue_state_reason: z.string().nullish(),
});
const Failed = z.object({ error: z.string(), category: z.enum(['unknown', 'server', 'user']).optional() });

/** A submitted request whose result is waited for. */
export interface Submitted {
  /** The route of the request, as errors name it. */
  route: string;
  requestId: string;
  /** Headers of each poll: which form the result shall have. */
  headers?: Readonly<Record<string, string>>;
  /** Sends the original request once more and gives the new id. */
  resubmit(): Promise<string>;
  /** Whether the request may be repeated although its first result is unknown. */
  isRepeatable: boolean;
}

/**
 * Waits for a result, whatever the server says meanwhile: polls again on 408, `try_again` and silence; submits again on
 * 410, and on 404 where that is harmless; waits on 429, 5xx, 402 and a server that is away. Throws the request's own
 * failure, and what outlasts the connection's patience.
 */
export async function awaitResult(connection: TinkerConnection, submitted: Submitted): Promise<Reply> {
  const poll = new Poll(connection, submitted);
  const { timing } = connection;
  const startedAt = timing.now();
  for (;;) {
    const askedAt = timing.now();
    const result = await poll.once();
    if (result) return result;
    connection.signal.throwIfAborted();
    if (timing.now() - startedAt > STUCK_MS)
      throw poll.failed('unavailable', `gave no result within ${STUCK_MS / 3_600_000} hours`);
    const sinceMs = timing.now() - askedAt;
    if (sinceMs < LEAST_BETWEEN_POLLS_MS)
      await timing.wait(LEAST_BETWEEN_POLLS_MS - sinceMs, connection.signal);
  }
}

class Poll {
  private readonly patience: Patience;
  private requestId: string;
  private emptyRefusals = 0;
  private unpaidSince: number | null = null;
  /** What the server last said of its queue. */
  private queue = '';

  constructor(
    private readonly connection: TinkerConnection,
    private readonly submitted: Submitted,
  ) {
    this.patience = new Patience(connection);
    this.requestId = submitted.requestId;
  }

  /** The result, or null where it has to be asked for again. */
  async once(): Promise<Reply | null> {
    const request: TinkerRequest = {
      route: 'retrieve_future',
      body: { request_id: this.requestId },
      headers: this.submitted.headers,
      timeoutMs: POLL_MS,
    };
    const askedAt = this.connection.timing.now();
    let reply: Reply;
    try {
      reply = await this.connection.send(request);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable' || this.connection.signal.aborted)
        throw error;
      // A poll that was held to its end says nothing against the server.
      if (this.connection.timing.now() - askedAt < POLL_MS) await this.patience.waitAfter(this.named(error));
      return null;
    }
    if (reply.status === 200) return this.settle(reply);
    await this.endure(request, reply);
    return null;
  }

  failed(code: AppError['code'], what: string): AppError {
    const { route } = this.submitted;
    const queue = this.queue && `; its queue is ${this.queue}`;
    return new AppError(
      code,
      this.connection.hide(
        `${this.connection.placeOf({ route })} (request ${this.requestId}) ${what}${queue}`,
      ),
    );
  }

  private settle(reply: Reply): Reply | null {
    this.patience.reset();
    if (reply.headers.get('content-type')?.startsWith('application/x-protobuf')) return reply;
    const value = parseJson(new TextDecoder().decode(reply.bytes));
    const again = TryAgain.safeParse(value);
    if (again.success) {
      const { queue_state: state = 'active', queue_state_reason: reason } = again.data;
      this.queue = state === 'active' ? '' : reason ? `${state} (${reason})` : state;
      return null;
    }
    const failure = Failed.safeParse(value);
    if (!failure.success) return reply;
    const { error, category = 'unknown' } = failure.data;
    throw this.failed(category === 'user' ? 'invalid_input' : 'unavailable', `failed: ${quote(error)}`);
  }

  /** Waits or submits again, as the status asks for; throws where it is final. */
  private async endure(request: TinkerRequest, reply: Reply): Promise<void> {
    const { connection, submitted } = this;
    const { status } = reply;
    const said = refusalText(new TextDecoder().decode(reply.bytes));
    if (status === 408) return this.patience.reset();
    if (status === 410 || (status === 404 && submitted.isRepeatable)) {
      await this.patience.waitAfter(this.refused(request, reply));
      this.requestId = await submitted.resubmit();
      return;
    }
    if (status === 402) return this.awaitPayment(request, reply);
    if (status === 429) connection.noteOverrun();
    if (status === 429 || status >= 500) return this.patience.waitAfter(this.refused(request, reply));
    if (status === 400 && said === null && ++this.emptyRefusals <= EMPTY_REFUSALS) return;
    if (status === 400 && said !== null) throw this.failed('invalid_input', `failed: ${quote(said)}`);
    throw this.refused(request, reply);
  }

  private async awaitPayment(request: TinkerRequest, reply: Reply): Promise<void> {
    const { timing, signal } = this.connection;
    this.unpaidSince ??= timing.now();
    if (timing.now() - this.unpaidSince > BILLING_LIMIT_MS) throw this.refused(request, reply);
    await timing.wait(BILLING_WAIT_MS, signal);
  }

  private refused(request: TinkerRequest, reply: Reply): AppError {
    return this.named(this.connection.refusal(request, reply));
  }

  private named(error: AppError): AppError {
    return new AppError(error.code, `${error.message}; the result of ${this.submitted.route} was asked for`);
  }
}
