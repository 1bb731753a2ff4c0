import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { Observation, StepResult } from '@/rl/environments/environment';
import type { AgentGymClient } from './client';
import { quote } from './request';
import type { ServedPlay } from './served-play';

const Start = z.object({ observation: z.string(), available_actions: z.array(z.string()) });

const Turn = z.object({
  observation: z.string(),
  /** 1 once the task is fulfilled, else 0; not a sum. */
  reward: z.number(),
  /** AgentGym's own client takes a turn without it. */
  available_actions: z.array(z.string()).optional(),
  done: z.boolean(),
});

const GOAL = /^Your task is to: (.*)$/m;
const REFUSAL = 'Nothing happens.';

/** A game of AgentGym's ALFWorld server. Observations are the server's texts, the first with the goal in it. */
export class AlfWorldPlay implements ServedPlay {
  private constructor(
    private readonly client: AgentGymClient,
    private readonly environmentId: number,
    readonly goal: string,
    readonly start: Observation,
  ) {}

  /** Resets an environment of the server to a game of AgentGym's index. */
  static async start(client: AgentGymClient, environmentId: number, game: number): Promise<AlfWorldPlay> {
    const { observation, available_actions: availableActions } = await client.reset(
      environmentId,
      { game, world_type: 'Text' },
      Start,
    );
    const goal = GOAL.exec(observation)?.[1];
    if (goal === undefined) {
      const place = client.placeOf({ method: 'POST', route: '/reset' });
      throw new AppError('unavailable', `${place} told no task: ${quote(observation)}`);
    }
    return new AlfWorldPlay(client, environmentId, goal, { text: observation, availableActions });
  }

  /** A game cannot be lost: one that ends unfulfilled has met the server's own turn cap. */
  async step(action: string): Promise<StepResult> {
    const { observation, reward, done, available_actions } = await this.client.step(
      this.environmentId,
      action,
      Turn,
    );
    const success = done && reward > 0;
    return {
      observation: {
        text: observation,
        availableActions:
          available_actions ?? (done ? [] : await this.client.availableActions(this.environmentId)),
      },
      reward,
      done,
      truncated: done && !success,
      success,
      valid: observation.trim() !== REFUSAL,
    };
  }
}
