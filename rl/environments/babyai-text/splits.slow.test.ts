import { describe, expect, it } from 'vitest';
import { BABYAI_TEXT_TASK_TYPES } from '@/contract/environments/babyai-text';
import { LAYOUT_SEEDS } from '../babyai/splits';
import { stateKey } from '../babyai/state';
import { createBabyAiText } from './babyai-text';
import { babyAiText50Tasks, babyAiTextSplitTasks } from './splits';
import { babyAiTextTask, isSeedOf, type BabyAiTextTask } from './task';

const environment = createBabyAiText();

function startKey(task: BabyAiTextTask): string {
  const { world } = environment.start(task);
  return `${world.mission}\n${world.grid.width}\n${stateKey(world)}`;
}

/** Training seeds drawn of each task type: every third of the range's first 90,000, and every thirtieth of the rest. */
function* sweptSeeds(): Generator<number> {
  const { first, end } = LAYOUT_SEEDS.training;
  for (let seed = first; seed < end; seed += seed < first + 90_000 ? 3 : 30) yield seed;
}

describe('the layouts of training seeds', () => {
  const held = [
    ...babyAiTextSplitTasks('valid_seen'),
    ...babyAiTextSplitTasks('valid_unseen'),
    ...babyAiText50Tasks(),
  ];
  const heldStarts = new Set(held.map(startKey));

  it.each(BABYAI_TEXT_TASK_TYPES)('of %s tasks hold no start of a validation task', (taskType) => {
    const twins: string[] = [];
    let drawn = 0;
    for (const seed of sweptSeeds()) {
      if (!isSeedOf('MixedTrainLocal', taskType, seed)) continue;
      const task = babyAiTextTask('MixedTrainLocal', taskType, seed, 'train');
      drawn++;
      if (heldStarts.has(startKey(task))) twins.push(task.id);
    }
    expect(drawn).toBeGreaterThan(25_000);
    expect(twins).toEqual([]);
  });
});
