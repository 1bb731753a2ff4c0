import { describe, expect, it } from 'vitest';
import {
  BABYAI_TEXT_DEFAULTS,
  BabyAiTextConfig,
  babyAiTextSplitSizes,
} from '@/contract/environments/babyai-text';
import { babyAiText50Tasks } from './splits';
import { openBabyAiText } from './suite';

const suite = openBabyAiText(BABYAI_TEXT_DEFAULTS);

describe('openBabyAiText', () => {
  it('opens the environment that the config asks for', () => {
    expect(BabyAiTextConfig.parse(BABYAI_TEXT_DEFAULTS)).toEqual(BABYAI_TEXT_DEFAULTS);
    expect(suite.environment.options).toEqual({ maxTurns: 30, refuseUnknownActions: true });
    const published = openBabyAiText({ ...BABYAI_TEXT_DEFAULTS, compat: 'upstream', maxTurns: 20 });
    expect(published.environment.options).toEqual({ maxTurns: 20, refuseUnknownActions: false });
  });

  it('is evaluated on the list of the config as its valid_seen', () => {
    const published: BabyAiTextConfig = { ...BABYAI_TEXT_DEFAULTS, validSeen: 'babyai-text-50' };
    const { splitTasks } = openBabyAiText(published);
    expect(splitTasks('valid_seen', babyAiTextSplitSizes(published).valid_seen)).toEqual(babyAiText50Tasks());
    expect(splitTasks('valid_unseen', 6)).toEqual(suite.splitTasks('valid_unseen', 6));
    expect(() => splitTasks('valid_seen', 51)).toThrow('babyai-text-50 has 50 tasks, asked for 51');
  });

  it('trains on the task types of the config', () => {
    const { trainTask } = openBabyAiText({ ...BABYAI_TEXT_DEFAULTS, taskTypes: ['put_next_to'] });
    for (let group = 0; group < 5; group++) {
      expect(trainTask({ runSeed: 1, step: 0, group }).taskType).toBe('put_next_to');
    }
  });

  it('plays the random control the same again for a seed, whatever other tasks are played', () => {
    const [control] = suite.controls;
    const tasks = suite.splitTasks('valid_seen', 30);
    const together = control?.play(tasks, 3) ?? [];
    expect(together).toHaveLength(30);
    expect(control?.play(tasks.slice(12), 3)).toEqual(together.slice(12));
    expect(control?.play(tasks, 4)).not.toEqual(together);
    for (const { success, reward, turns, invalidActions } of together) {
      expect(success).toBe(reward > 0);
      expect(turns === 30 || (success && turns < 30)).toBe(true);
      expect(invalidActions).toBe(0);
    }
    expect(together.some(({ success }) => success)).toBe(true);
  });

  it('plans every task of both validation splits within thirty turns', () => {
    const planner = suite.controls.find(({ policy }) => policy === 'full_knowledge_planner');
    for (const split of ['valid_seen', 'valid_unseen'] as const) {
      const outcomes = planner?.play(suite.splitTasks(split, 60), 1) ?? [];
      expect(outcomes).toHaveLength(60);
      expect(outcomes.filter(({ success }) => !success).map(({ task }) => task.id)).toEqual([]);
    }
  });
});
