import type { BabyAiTextConfig } from '@/contract/environments/babyai-text';
import { controlsOf, type Player } from '../control';
import type { EnvironmentSuite } from '../suite';
import { createBabyAiText } from './babyai-text';
import type { BabyAiTextEpisode } from './episode';
import { babyAiTextExpert } from './expert';
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
    controls: controlsOf(environment, { planner: playPlan }),
    expert: babyAiTextExpert,
  };
}

function playPlan(episode: BabyAiTextEpisode): Player {
  const { actions } = babyAiTextExpert.plan(episode);
  // What cannot be won is played to the turn cap.
  return ({ length }) => actions?.[length] ?? 'turn left';
}
