import { AppError } from '@/contract/errors';
import type { Episode, EpisodeSnapshot, Observation, StepResult } from '@/rl/environments/environment';
import { conditionAfter, type ServedEnvironment, type ServedEnvironments } from './served-environments';
import type { ServedPlay } from './served-play';
import type { AgentGymTask } from './task';

interface Seat {
  environments: ServedEnvironments;
  environment: ServedEnvironment;
}

/** A play of a task on an AgentGym server. */
export class AgentGymEpisode implements Episode<AgentGymTask> {
  readonly goal: string;
  private observation: Observation;
  private readonly actions: string[] = [];
  /** `doubtful` and `lost`: what a failed turn made of the environment. */
  private state: 'live' | 'over' | 'doubtful' | 'lost' | 'closed' = 'live';

  constructor(
    readonly task: AgentGymTask,
    private readonly play: ServedPlay,
    private readonly seat: Seat,
    private readonly maxTurns: number | null,
  ) {
    this.goal = play.goal;
    this.observation = play.start;
  }

  observe(): Observation {
    return this.observation;
  }

  /** One turn. Throws where the episode has ended or the server failed, after which there is no further turn. */
  async step(action: string): Promise<StepResult> {
    if (this.state !== 'live')
      throw new AppError('conflict', `The episode of ${this.task.id} has ended; start another`);
    const result = await this.ask(action);
    this.actions.push(action);
    this.observation = result.observation;
    const truncated = !result.done && this.maxTurns !== null && this.actions.length >= this.maxTurns;
    if (result.done || truncated) this.state = 'over';
    return truncated ? { ...result, done: true, truncated } : result;
  }

  private async ask(action: string): Promise<StepResult> {
    const { environments, environment } = this.seat;
    try {
      environments.requireAlive(environment);
      return await this.play.step(action);
    } catch (error) {
      const condition = conditionAfter(error);
      this.state = condition === 'sound' ? 'over' : condition;
      throw error;
    }
  }

  /** The server shows no state. */
  picture(): null {
    return null;
  }

  /** The server shows no state. */
  stateHash(): null {
    return null;
  }

  snapshot(): EpisodeSnapshot<AgentGymTask> {
    return { task: this.task, actions: [...this.actions] };
  }

  /** Gives the server's environment back, once. Throws where that fails; a server that gave no answer is not asked. */
  async close(): Promise<void> {
    const { state, seat } = this;
    if (state === 'closed') return;
    this.state = 'closed';
    if (state === 'lost')
      throw new AppError(
        'unavailable',
        `environment ${seat.environment.id} of ${this.task.id} was not given back: the server left a turn unanswered`,
      );
    await seat.environments.giveBack(seat.environment, state === 'doubtful' ? 'doubtful' : 'sound');
  }
}
