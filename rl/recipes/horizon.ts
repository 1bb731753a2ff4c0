import type { GrpoConfig } from '@/contract/recipes/grpo';
import { maxTurnsAt } from '@/rl/learning/horizon';
import { setUp, type RunSetup } from './setup';

/**
 * The run's setup at a step of training, its environment opened with the turn cap of the step's stage; the setup itself where
 * the config has no horizon.
 */
export function horizonOf(setup: RunSetup<GrpoConfig>): (step: number) => Promise<RunSetup<GrpoConfig>> {
  const { horizon, environment } = setup.config;
  if (!horizon) return () => Promise.resolve(setup);
  const caps = horizon.stages.map(({ maxTurns }) => maxTurns);
  const opened = new Map<number, Promise<RunSetup<GrpoConfig>>>();
  return (step) => {
    const maxTurns = maxTurnsAt(step, { maxTurns: caps, stageSteps: horizon.stageSteps });
    const known = opened.get(maxTurns);
    if (known) return known;
    const stage = setUp({ ...setup.config, environment: { ...environment, maxTurns } }, setup.context);
    opened.set(maxTurns, stage);
    return stage;
  };
}
