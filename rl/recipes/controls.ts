import type { EvaluationResult, Policy } from '@/contract/evaluation';
import type { RecipeEvent } from '@/contract/run-events';
import { playControl, type ControlName, type ControlOutcome } from '@/rl/environments/babyai/controls';
import { activityEvent } from './recipe';
import { evaluationSettings, sumsOf, type EvaluationSetup, type TaskSet } from './evaluation';

const POLICY_OF: Record<ControlName, Policy> = {
  random: 'random_offered_action',
  'look-around': 'look_around_script',
  planner: 'full_knowledge_planner',
};

/** Plays the controls that need no model on each task set. */
export function* measureControls(setup: EvaluationSetup, sets: readonly TaskSet[]): Generator<RecipeEvent> {
  for (const set of sets) {
    yield activityEvent(0, 'controls', set.tasks.length);
    for (const control of ['random', 'look-around', 'planner'] as const) {
      const started = setup.context.clock();
      const outcomes = playControl(setup.environment, set.tasks, control, setup.config.seed);
      const evaluation: EvaluationResult = {
        ...evaluationSettings(setup, set),
        step: 0,
        policy: POLICY_OF[control],
        decoding: control === 'random' ? 'sampled' : 'greedy',
        temperature: control === 'random' ? 1 : 0,
        ...sumsOf(outcomes.map(countable)),
        seconds: setup.context.clock() - started,
      };
      yield { kind: 'evaluation:finished', evaluation };
    }
  }
}

function countable({ task, success, reward, turns, invalidActions }: ControlOutcome) {
  return {
    taskType: task.taskType,
    success,
    reward,
    turnsCount: turns,
    invalidActions,
    stopReason: 'turn_limit' as const,
  };
}
