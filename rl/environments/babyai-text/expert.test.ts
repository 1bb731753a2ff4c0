import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { createBabyAiText } from './babyai-text';
import type { BabyAiTextEpisode } from './episode';
import { babyAiTextExpert } from './expert';
import { babyAiText50Tasks, babyAiTextSplitTasks } from './splits';

const environment = createBabyAiText({ maxTurns: null });

/** The successes along the expert's plan. */
function playPlan(episode: BabyAiTextEpisode): boolean[] {
  const before = [episode.stateHash(), episode.snapshot()];
  const { actions } = babyAiTextExpert.plan(episode);
  expect([episode.stateHash(), episode.snapshot()]).toEqual(before);
  return (actions ?? []).map((action) => episode.step(action).success);
}

const onlyLast = (successes: readonly boolean[]): boolean =>
  successes.length > 0 && successes.every((success, turn) => success === (turn === successes.length - 1));

describe('the expert of BabyAI-Text', () => {
  it('wins every task of the published evaluation’s kinds', () => {
    for (const task of babyAiText50Tasks()) expect(onlyLast(playPlan(environment.start(task)))).toBe(true);
  });

  it.each(['train', 'valid_seen', 'valid_unseen'] as const)(
    'wins tasks of %s from states after random actions',
    (split) => {
      for (const [seed, task] of babyAiTextSplitTasks(split, 30).entries()) {
        const random = createRandom(seed);
        const episode = environment.start(task);
        let done = false;
        for (let turn = 0; turn < 10 && !done; turn++) {
          // Boxes are spared: one that is toggled is gone, and may have been the mission's.
          ({ done } = episode.step(
            random.pick(['turn left', 'turn right', 'go forward', 'pick up', 'drop']),
          ));
        }
        if (!done) expect(onlyLast(playPlan(episode))).toBe(true);
      }
    },
  );

  it('says why nothing can win once the mission’s object is gone', () => {
    const task = babyAiTextSplitTasks('train', 60).find(({ taskType }) => taskType === 'pick_up');
    if (!task) throw new Error('the train split has a task of type pick_up');
    const episode = environment.start(task);
    const { instruction, grid } = episode.world;
    if (instruction.kind !== 'pickup') throw new Error(`not a mission to pick up: ${episode.goal}`);
    for (const { x, y } of instruction.target.cells) grid.put(x, y, null);
    expect(babyAiTextExpert.plan(episode)).toMatchObject({ proven: true, reason: /cannot be reached/ });
  });
});
