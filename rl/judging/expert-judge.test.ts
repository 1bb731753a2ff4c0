import { describe, expect, it } from 'vitest';
import { BABYAI_TEXT_DEFAULTS } from '@/contract/environments/babyai-text';
import type { Episode, Task } from '@/rl/environments/environment';
import { openPureEnvironment } from '@/rl/environments/registry';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import { playedEpisode } from '@/rl/recipes/testing/played';
import { expertJudge, progressScore } from './expert-judge';

const task: Task = { id: 'ladder/1', taskType: 'climb', split: 'train' };

/** A ladder whose third rung wins; `fall` ends every hope, and above rung 9 the expert gives up. */
class Ladder implements Episode {
  readonly task = task;
  readonly goal = 'climb';
  rung = 0;
  hasFallen = false;
  observe() {
    return { text: `Rung ${this.rung}.`, availableActions: ['up', 'down', 'wait', 'fall'] };
  }
  step(action: string) {
    this.rung += { up: 1, down: -1, leap: 10 }[action] ?? 0;
    this.hasFallen ||= action === 'fall';
    const success = this.rung === 3;
    return {
      observation: this.observe(),
      reward: 0,
      done: success,
      truncated: false,
      success,
      valid: action !== 'fly',
    };
  }
  picture() {
    return null;
  }
  stateHash() {
    return null;
  }
  snapshot() {
    return { task, actions: [] };
  }
}

const suite: EnvironmentSuite = {
  environment: { id: 'ladder', version: '1', options: {}, start: () => new Ladder() },
  splitTasks: () => [task],
  trainTask: () => task,
  controls: [],
  expert: {
    // Every episode of this suite is a ladder.
    plan: (episode) => planOf(episode as Ladder),
  },
};

function planOf({ rung, hasFallen }: Ladder) {
  if (hasFallen) return { actions: null, proven: true, reason: 'fallen' };
  if (rung > 9) return { actions: null, proven: false, reason: 'too high' };
  return { actions: Array.from({ length: Math.abs(3 - rung) }, () => (rung < 3 ? 'up' : 'down')) };
}

async function scoresOf(actions: readonly string[], turns = actions.map((_, turn) => turn)) {
  const episode = playedEpisode(
    {},
    actions.map((action) => ({ action, valid: action !== 'fly' })),
  );
  const judging = expertJudge(suite).judge(
    turns.map((turn) => ({ task, episode, turn })),
    1,
  );
  const { value } = await judging.next();
  if (!value || !('scores' in value)) throw new Error('expected scores');
  return value.scores;
}

describe('the expert as a judge', () => {
  it('scores a turn by how much nearer it led, and a refused one as wrong', async () => {
    expect(await scoresOf(['up', 'wait', 'down', 'fly', 'up', 'up', 'up'])).toEqual([1, 0, -1, -1, 1, 1, 1]);
  });

  it('scores the turn that loses, and none of those after it', async () => {
    expect(await scoresOf(['up', 'fall', 'up'])).toEqual([1, -1, null]);
  });

  it('gives no score where a search gave up', async () => {
    expect(await scoresOf(['leap', 'down'])).toEqual([null, null]);
  });

  it('scores drawn turns alone as it scores them among all', async () => {
    expect(await scoresOf(['up', 'wait', 'down', 'up'], [1, 3])).toEqual([0, 1]);
  });

  it('is an oracle by name, and is refused where an environment has no expert', () => {
    expect(expertJudge(suite).name).toEqual({ kind: 'oracle', name: 'ladder' });
    expect(() => expertJudge({ ...suite, expert: undefined })).toThrow(
      'judge.source is expert, ladder has none; expected endpoint or none',
    );
  });

  it('holds what a long step gained to 1', () => {
    expect(progressScore({ before: 5, after: 1 }, false)).toBe(1);
    expect(progressScore({ before: 1, after: 5 }, false)).toBe(-1);
  });

  it('finds every turn of BabyAI-Text’s own plans right', async () => {
    const { environment, splitTasks, expert } = openPureEnvironment(BABYAI_TEXT_DEFAULTS);
    const own = openPureEnvironment(BABYAI_TEXT_DEFAULTS);
    for (const each of splitTasks('train', 8)) {
      const { actions } = expert?.plan(await environment.start(each)) ?? { actions: null };
      const episode = playedEpisode(
        {},
        (actions ?? []).map((action) => ({ action })),
      );
      const turns = episode.trajectory.turns.map(({ index }) => ({ task: each, episode, turn: index }));
      const { value } = await expertJudge(own).judge(turns, 1).next();
      expect(value).toMatchObject({ scores: turns.map(() => 1) });
    }
  });
});
