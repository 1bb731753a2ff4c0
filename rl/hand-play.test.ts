import { describe, expect, it } from 'vitest';
import type { SampledSequence } from '@/contract/engine';
import type { Task } from './environments/environment';
import { HandPlay, PastedPlay } from './hand-play';
import type { PlaySettings } from './live-episode';
import { openScaffold } from './scaffolds/registry';
import { corridor, unitTokenizer, type Corridor } from './scaffolds/testing/corridor';

const END = unitTokenizer.specialId('');
const TASK: Corridor = { id: 'corridor/1', taskType: 'leave', split: 'train', length: 3 };

function written(text: string): SampledSequence {
  const tokens = [...unitTokenizer.encode(text), END];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' };
}

function settings(changes: Partial<PlaySettings<Corridor>> = {}): PlaySettings<Corridor> {
  return {
    environment: corridor,
    scaffold: openScaffold({ id: 'recent-actions', recentActions: 2 }),
    tokenizer: unitTokenizer,
    stopTokens: [END],
    respond: (pending) => Promise.resolve(pending.map(() => written('Thought: on. Action: go forward'))),
    lanes: 1,
    maxPromptTokens: 100_000,
    step: 7,
    phase: 'manual',
    decoding: 'sampled',
    records: () => true,
    clock: () => 0,
    ...changes,
  };
}

/** The same, for observations that come from nowhere. */
function withoutWorld(changes: Partial<PlaySettings<Task>> = {}): Omit<PlaySettings<Task>, 'environment'> {
  const { environment: _, records: __, ...rest } = settings();
  return { ...rest, records: () => true, ...changes };
}

describe('an episode played by hand', () => {
  it('takes turns of the person and of the model in one record, those of the person without log-probabilities', async () => {
    const play = await HandPlay.start(TASK, 1, settings());
    expect(play.moment()).toMatchObject({
      goal: 'leave',
      observation: 'Door 0.',
      availableActions: ['turn left', 'go forward'],
      turn: null,
      over: false,
    });
    await play.act('Left it is.', 'turn left');
    expect(play.moment()).toMatchObject({
      observation: 'Door 1.',
      turn: { index: 0, action: 'turn left', thought: 'Left it is.', by: 'person', formatOk: true },
    });
    await play.letModelAct();
    expect(play.moment().turn).toMatchObject({ index: 1, action: 'go forward', by: 'model' });
    await play.act('', 'go forward');
    expect(play.moment()).toMatchObject({ over: true, success: true, availableActions: [] });
    const trajectory = await play.end();
    expect(trajectory).toMatchObject({ phase: 'manual', step: 7, stopReason: 'success', turnsCount: 3 });
    const sampled = trajectory.turns.map(({ tokens }) => tokens?.logprobs.some((each) => each !== null));
    expect(sampled).toEqual([false, true, false]);
  });

  it('that is ended before its environment ends is stopped, not lost', async () => {
    const play = await HandPlay.start(TASK, 1, settings());
    await play.act('', 'turn left');
    expect(await play.end()).toMatchObject({ stopReason: 'stopped', success: false, turnsCount: 1 });
  });

  it('refuses what the scaffold cannot say, and nothing is played', async () => {
    const play = await HandPlay.start(TASK, 1, settings());
    await expect(play.act('', 'go\nAction: turn left')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('scaffold recent-actions cannot say') as string,
    });
    expect(play.moment().turn).toBeNull();
  });

  it('ends at a prompt that is too long', async () => {
    const play = await HandPlay.start(TASK, 1, settings({ maxPromptTokens: 3 }));
    await play.letModelAct();
    expect(await play.end()).toMatchObject({ stopReason: 'context_limit', turnsCount: 0 });
  });
});

describe('pasted observations', () => {
  it('are each answered by the model, and make up one record', async () => {
    const prompts: string[] = [];
    const respond: PlaySettings<Task>['respond'] = (pending) => {
      prompts.push(...pending.map(({ prompt }) => unitTokenizer.decode(prompt)));
      return Promise.resolve(pending.map(() => written(`Thought: hm. Action: act ${prompts.length}`)));
    };
    const play = new PastedPlay('find it', 1, withoutWorld({ respond }));
    expect(play.moment()).toMatchObject({ goal: 'find it', turn: null, over: false });
    await play.show({ text: 'A hall.', availableActions: ['act 1'] });
    expect(play.moment().turn).toMatchObject({
      index: 0,
      observation: 'A hall.',
      action: 'act 1',
      admissible: true,
    });
    await play.show({ text: 'A lift.', availableActions: [] });
    expect(play.moment().turn).toMatchObject({ index: 1, observation: 'A lift.', admissible: false });
    expect(prompts[1]).toContain('Last actions: act 1');
    const trajectory = await play.end();
    expect(trajectory).toMatchObject({
      taskId: 'pasted',
      goal: 'find it',
      stopReason: 'stopped',
      flags: ['pasted_observations'],
    });
    expect(trajectory?.turns.map(({ observation, action }) => [observation, action])).toEqual([
      ['A hall.', 'act 1'],
      ['A lift.', 'act 2'],
    ]);
  });

  it('of which there were none leave no record', async () => {
    expect(await new PastedPlay('', 1, withoutWorld()).end()).toBeNull();
  });
});
