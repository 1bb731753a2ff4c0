import type { BabyAiTextConfig } from '@/contract/environments/babyai-text';
import { createRandom, hashSeed } from '@/rl/random';
import type { ControlOutcome, EnvironmentSuite } from '../suite';
import { createBabyAiText, type BabyAiTextEnvironment } from './babyai-text';
import { BABYAI_TEXT_ACTIONS } from './episode';
import { babyAiText50Tasks, babyAiTextSplitTasks, babyAiTextTrainTask } from './splits';
import type { BabyAiTextTask } from './task';

/** BabyAI-Text as a run's config asks for it. */
export function openBabyAiText({
  taskTypes,
  maxTurns,
  validSeen,
  compat,
}: BabyAiTextConfig): EnvironmentSuite<BabyAiTextTask> {
  const environment = createBabyAiText({ maxTurns, ...(compat === 'upstream' && { compat }) });
  return {
    environment,
    splitTasks: (split, count) =>
      split === 'valid_seen' && validSeen === 'babyai-text-50'
        ? babyAiText50Tasks(count)
        : babyAiTextSplitTasks(split, count),
    trainTask: (draw) => babyAiTextTrainTask({ ...draw, taskTypes }),
    controls: [
      {
        policy: 'random_offered_action',
        decoding: 'sampled',
        play: (tasks, seed) => tasks.map((task) => playRandomly(environment, task, seed)),
      },
    ],
  };
}

/** Plays a task by random actions; the draws depend on the seed and the task alone. */
function playRandomly(
  environment: BabyAiTextEnvironment,
  task: BabyAiTextTask,
  seed: number,
): ControlOutcome<BabyAiTextTask> {
  const episode = environment.start(task);
  const random = createRandom(hashSeed('babyai-text control', 'random', seed, task.id));
  const outcome = { task, success: false, reward: 0, turns: 0, invalidActions: 0 };
  for (let done = false; !done;) {
    const result = episode.step(random.pick(BABYAI_TEXT_ACTIONS));
    outcome.turns++;
    outcome.reward += result.reward;
    outcome.success ||= result.success;
    done = result.done;
  }
  return outcome;
}
