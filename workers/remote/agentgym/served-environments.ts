import { AppError } from '@/contract/errors';
import type { AgentGymClient } from './client';
import { NoAnswer } from './request';

/** An environment on the server that one episode holds. */
export interface ServedEnvironment {
  readonly id: number;
  /** It was played in before. */
  readonly used: boolean;
  /** Counts the server's lives, as far as its ids tell them. */
  readonly life: number;
}

/**
 * What an environment is worth after a failure. `sound`: the server itself said no, or something else than it should.
 * `doubtful`: an answer came that may be a proxy's, so the server may still be at the request. `lost`: none came.
 */
export type Condition = 'sound' | 'doubtful' | 'lost';

export function conditionAfter(error: unknown): Condition {
  if (error instanceof NoAnswer) return 'lost';
  const isOwnWord =
    error instanceof AppError && (error.code === 'conflict' || error.code === 'invalid_input');
  return isOwnWord ? 'sound' : 'doubtful';
}

/**
 * The environments this worker holds on a server. A server without a route to close them keeps every one it ever made,
 * so there an environment that is given back serves the next episode. Ids rise as long as the server lives: one that
 * comes again says that it was restarted and that the environments from before are gone, whoever now has their ids.
 */
export class ServedEnvironments {
  private readonly idle: number[] = [];
  private readonly created = new Set<number>();
  private life = 0;

  constructor(private readonly client: AgentGymClient) {}

  /** An environment nobody plays in; it has to be reset. */
  async take(): Promise<ServedEnvironment> {
    const idle = this.idle.pop();
    if (idle !== undefined) return { id: idle, used: true, life: this.life };
    const id = await this.client.create();
    if (this.created.has(id)) this.beginLife();
    this.created.add(id);
    return { id, used: false, life: this.life };
  }

  /** Closes it. Where the server keeps it, only a sound one serves again: a late turn must not fall into another game. */
  async giveBack(
    { id, life }: ServedEnvironment,
    condition: Exclude<Condition, 'lost'> = 'sound',
  ): Promise<void> {
    if (life !== this.life) return;
    const closed = await this.client.close(id);
    if (!closed && condition === 'sound' && life === this.life) this.idle.push(id);
  }

  /** Lets go of the environments nobody plays in: the server knows them no more. */
  forgetIdle(): void {
    this.idle.length = 0;
  }

  /** Throws where the server was restarted since `environment` was taken. */
  requireAlive({ id, life }: ServedEnvironment): void {
    if (life === this.life) return;
    throw new AppError(
      'unavailable',
      `${this.client.address} was restarted: environment ${id} is another episode's now`,
    );
  }

  private beginLife(): void {
    this.life++;
    this.created.clear();
    this.forgetIdle();
  }
}
