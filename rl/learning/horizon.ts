import { AppError } from '@/contract/errors';

export interface HorizonSchedule {
  /** Turn cap of each stage, in order; AgentGym-RL has 6, 13, 20. */
  maxTurns: readonly number[];
  /** Steps of a stage; the last goes on. AgentGym-RL has 100. */
  stageSteps: number;
}

/**
 * Turn cap of step `step`: ScalingInter-RL (AgentGym-RL, arXiv 2509.08755) lets episodes grow as training goes on. Steps count
 * from 1 and a stage begins where step / stageSteps is whole, so that the first is one step short. Source: AgentGym-RL
 * `StepRoundsScheduler`.
 */
export function maxTurnsAt(step: number, { maxTurns, stageSteps }: HorizonSchedule): number {
  const stage = Math.min(Math.floor(step / stageSteps), maxTurns.length - 1);
  const cap = maxTurns[stage];
  if (cap === undefined)
    throw new AppError(
      'invalid_input',
      `step ${step} has no turn cap among [${maxTurns.join(', ')}] with stages of ${stageSteps} steps; ` +
        'expected at least one cap and one step a stage',
    );
  return cap;
}
