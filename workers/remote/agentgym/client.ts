import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { isConnectionRefused } from '../../http-answer';
import { place, quote, sendRequest, type ServerRequest } from './request';

/** Nothing is waited for that is only given back. */
const CLOSE_TIMEOUT_MS = 10_000;
/** Waits between tries of a request that found nobody listening: a server that restarts is back after some seconds. */
const REFUSED_WAITS_MS = [250, 500, 1000, 2000];

/** Every error is told with HTTP 200. */
const Refusal = z.object({ error: z.string() });
const Created = z.object({ id: z.int().nonnegative() });
const Greeting = z.string().regex(/^This is environment \w+\.$/);
const ActionList = z.array(z.string());

export interface AgentGymConnection {
  /** Address of the server. */
  address: string;
  /** Seconds that an answer may take. */
  timeoutS: number;
  /** Waits between tries of `create` and `reset` while the connection is refused, in ms. */
  refusedWaitsMs?: readonly number[];
}

type Call = Pick<ServerRequest, 'method' | 'route' | 'body'>;

/**
 * An AgentGym environment server over HTTP. Each call throws AppError, naming address and route: `conflict` where the
 * server answers an error, `invalid_input` where fields of its answer are not what they should be, and what
 * `sendRequest` throws. A step is sent once, whatever becomes of it.
 */
export class AgentGymClient {
  readonly address: string;
  private readonly timeoutMs: number;
  private readonly refusedWaitsMs: readonly number[];

  constructor({ address, timeoutS, refusedWaitsMs = REFUSED_WAITS_MS }: AgentGymConnection) {
    this.address = address.replace(/\/+$/, '');
    this.timeoutMs = Math.ceil(timeoutS * 1000);
    this.refusedWaitsMs = refusedWaitsMs;
  }

  /** The environment it serves, by AgentGym's name: `BabyAI`. */
  async served(): Promise<string> {
    const greeting = await this.untilConnected(Greeting, { method: 'GET', route: '/' });
    return greeting.replace(/^This is environment |\.$/g, '');
  }

  /** Id of a new environment on the server. */
  async create(): Promise<number> {
    return (await this.untilConnected(Created, { method: 'POST', route: '/create' })).id;
  }

  /** Starts a game; `fields` name it. */
  async reset<T>(id: number, fields: Record<string, number | string>, answer: z.ZodType<T>): Promise<T> {
    return this.untilConnected(answer, { method: 'POST', route: '/reset', body: { id, ...fields } });
  }

  async step<T>(id: number, action: string, answer: z.ZodType<T>): Promise<T> {
    return this.ask(answer, { method: 'POST', route: '/step', body: { id, action } });
  }

  async availableActions(id: number): Promise<string[]> {
    return this.ask(ActionList, { method: 'GET', route: `/available_actions?id=${id}` });
  }

  /** Gives an environment back. False where the server has no route for that: it stays, and can be reset. */
  async close(id: number): Promise<boolean> {
    const request: Call = { method: 'POST', route: '/close', body: { id } };
    try {
      const closed = await this.ask(z.boolean(), request, Math.min(this.timeoutMs, CLOSE_TIMEOUT_MS));
      if (closed) return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return false;
      throw error;
    }
    throw new AppError('conflict', `${this.placeOf(request)} did not close environment ${id}`);
  }

  /** Address and route, as errors name them. */
  placeOf(request: Call): string {
    return place({ address: this.address, ...request });
  }

  private async untilConnected<T>(schema: z.ZodType<T>, request: Call): Promise<T> {
    for (const waitMs of this.refusedWaitsMs) {
      try {
        return await this.ask(schema, request);
      } catch (error) {
        if (!isConnectionRefused(error)) throw error;
        await sleep(waitMs);
      }
    }
    return this.ask(schema, request);
  }

  private async ask<T>(schema: z.ZodType<T>, request: Call, timeoutMs = this.timeoutMs): Promise<T> {
    const value = await sendRequest({ address: this.address, ...request, timeoutMs });
    const refusal = Refusal.safeParse(value);
    if (refusal.success)
      throw new AppError(
        'conflict',
        `${this.placeOf(request)} answered the error ${quote(refusal.data.error)}`,
      );
    return parseOrThrow(schema, value, `the answer of ${this.placeOf(request)}`);
  }
}
