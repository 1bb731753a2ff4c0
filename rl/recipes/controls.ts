import type { EvaluationResult } from '@/contract/evaluation';
import type { RecipeEvent } from '@/contract/run-events';
import type { ControlOutcome } from '@/rl/environments/suite';
import { activityEvent } from './recipe';
import { evaluationSettings, sumsOf, type TaskSet } from './evaluation';
import type { RunSetup } from './setup';

/** Plays the controls that need no model on each task set. */
export function* measureControls(setup: RunSetup, sets: readonly TaskSet[]): Generator<RecipeEvent> {
  for (const set of sets) {
    yield activityEvent(0, 'controls', set.tasks.length);
    for (const { policy, decoding, play } of setup.suite.controls) {
      const started = setup.context.clock();
      const outcomes = play(set.tasks, setup.config.seed);
      const evaluation: EvaluationResult = {
        ...evaluationSettings(setup, set),
        checkpoint: null,
        step: 0,
        policy,
        decoding,
        temperature: decoding === 'sampled' ? 1 : 0,
        topK: 0,
        topP: 1,
        maxReplyTokens: null,
        maxPromptTokens: null,
        ...sumsOf(outcomes.map(countable)),
        truncated: null,
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
