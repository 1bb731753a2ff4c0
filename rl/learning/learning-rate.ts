export interface LearningRateSchedule {
  /** Peak. */
  learningRate: number;
  /** Steps of linear warm-up; 0 = none. */
  warmupSteps: number;
  /** Steps over which the rate falls linearly to `finalRateFraction` of the peak; 0 = constant. */
  decaySteps: number;
  finalRateFraction: number;
}

/** Rate of step `step` (from 1). By step alone, never by time, so that a run can be repeated. */
export function learningRateAt(step: number, schedule: LearningRateSchedule): number {
  const warmup = schedule.warmupSteps > 0 ? Math.min(1, step / schedule.warmupSteps) : 1;
  const progress = schedule.decaySteps > 0 ? Math.min(1, step / schedule.decaySteps) : 0;
  return schedule.learningRate * warmup * (1 - (1 - schedule.finalRateFraction) * progress);
}
