import type { Observation, StepResult } from '@/rl/environments/environment';

/** A game under way in an environment on the server, in an episode's terms. */
export interface ServedPlay {
  readonly goal: string;
  /** What the agent sees first. */
  readonly start: Observation;
  /** One turn as the server and the options have it, without a turn cap of ours. */
  step(action: string): Promise<StepResult>;
}
