import { describe, expect, it } from 'vitest';
import { agentGymText, createBabyAi } from './babyai';
import type { BabyAiEpisode } from './episode';
import type { BabyAiSettings } from './options';
import { agentGymTask, babyAiTask } from './task';

function start(level: string, seed: number, settings: BabyAiSettings = {}): BabyAiEpisode {
  return createBabyAi(settings).start(babyAiTask(level, seed, 'train'));
}

const OPEN_FROM_AFAR = 'toggle and go through grey closed door 1';

describe('a BabyAI episode', () => {
  it('tells the goal apart from the observation, and the list of actions apart from the text', () => {
    const episode = start('GoToLocalS8N7', 2);
    expect(episode.goal).toBe('go to the purple key');
    expect(episode.observe()).toEqual({
      text:
        'In front of you in this room, you can see several objects: The room has walls around you. ' +
        'You are facing a wall 1 steps away. You are not carrying anything.',
      availableActions: ['turn left', 'turn right', 'check available actions'],
    });
  });

  it('gives upstream’s whole text, with the goal on the first observation only', () => {
    const observation = { text: 'T', availableActions: ['a', 'b'] };
    expect(agentGymText(observation, 'open the door')).toBe(
      'Your goal: open the door\nT\nAvailable actions: ["a", "b"]',
    );
    expect(agentGymText(observation, null)).toBe('T\nAvailable actions: ["a", "b"]');
  });

  it('ends at a success within an action, rewarded by primitive steps', () => {
    const episode = start('OpenDoorLoc', 0);
    const result = episode.step(OPEN_FROM_AFAR);
    // Five steps and two turns to the door, then the toggle; the step through it is not taken.
    expect(episode.world.steps).toBe(8);
    expect(result).toMatchObject({ done: true, success: true, truncated: false, valid: true });
    expect(result.reward).toBe(1 - 0.9 * (8 / 576));
    expect(result.observation.text).toMatch(/\n The task is completed\.$/);
  });

  it('ends at a failure, which is no success', () => {
    const result = start('PickupDistDebug', 0).step('pickup purple box 1');
    expect(result).toMatchObject({ done: true, success: false, truncated: false, valid: true, reward: 0 });
  });

  it('throws at an action after the end', () => {
    const episode = start('OpenDoorLoc', 0);
    episode.step(OPEN_FROM_AFAR);
    expect(() => episode.step('turn left')).toThrow(/babyai\/OpenDoorLoc\/0 has ended/);
  });

  it('ends at the turn cap without success, and says that the cap did it', () => {
    const episode = start('OpenDoorLoc', 0, { maxTurns: 2 });
    expect(episode.step('turn left')).toMatchObject({ done: false, truncated: false });
    expect(episode.step('turn left')).toMatchObject({ done: true, truncated: true, success: false });
  });

  it('counts a success on the last turn as a success, not as the cap', () => {
    const result = start('OpenDoorLoc', 0, { maxTurns: 1 }).step(OPEN_FROM_AFAR);
    expect(result).toMatchObject({ done: true, success: true, truncated: false });
  });

  it('refuses the empty and the unknown action, says why where upstream does, and leaves the world alone', () => {
    const episode = start('GoToLocalS8N7', 2);
    const before = episode.stateHash();
    const answers = [' ', 'fly', 'move forward', 'drop', 'pick up red ball 1'].map((action) => {
      const { observation, valid } = episode.step(action);
      expect(valid).toBe(false);
      return observation.text;
    });
    const unknown = 'The action is not recognized. Please check valid actions.';
    expect(answers).toEqual([
      'No change in state.',
      unknown,
      "There is a barrier in front of you, you can't move forward.",
      'You cannot drop the object, as you are not carrying anything.',
      unknown,
    ]);
    expect(episode.stateHash()).toBe(before);
    expect(episode.world.steps).toBe(0);
  });

  it('takes an action in any case and with the white space Python strips', () => {
    const episode = start('GoToLocalS8N7', 2);
    expect(episode.step('\x1c\x85 Turn LEFT\u2003\n').valid).toBe(true);
    expect(episode.step('\ufeffturn left').valid).toBe(false);
  });

  it('answers a check with valid, briefly or with the list', () => {
    const lead = 'You can take the following actions: ';
    const brief = start('GoToLocalS8N7', 2).step('check available actions');
    expect(brief).toMatchObject({ valid: true, observation: { text: lead } });
    const long = start('GoToLocalS8N7', 2, { shortCheck: false }).step('please CHECK');
    expect(long.observation.text).toBe(`${lead}turn left, turn right, check available actions`);
    expect(long.valid).toBe(true);
  });

  it('says that nothing changed where the agent already faces what it would go to', () => {
    const episode = start('PickupDistDebug', 0);
    expect(episode.step('go to red ball 1').observation.text).toMatch(
      /red ball 1 right in front of you 1 steps/,
    );
    const again = episode.step('go to red ball 1');
    expect(again).toMatchObject({ valid: true, observation: { text: 'No change in state.' } });
    expect(episode.world.steps).toBe(2);
  });

  it('is the same for the same task and actions', () => {
    const play = () => {
      const episode = start('Open', 5);
      return ['turn left', 'turn left', 'move forward', 'check'].map((action) => episode.step(action));
    };
    expect(play()).toEqual(play());
  });
});

describe('compat agentgym', () => {
  const compat = { compat: 'agentgym' } as const;

  it('turns every option back, and lets a single one be set against it', () => {
    expect(createBabyAi(compat).options).toEqual({
      endInsideAction: false,
      endOnLowReward: false,
      payOnce: false,
      maxTurns: null,
      shortCheck: false,
      tellOrder: false,
      doubleReset: true,
      solvable: false,
      missingLevel: false,
    });
    expect(createBabyAi({ ...compat, maxTurns: 20 }).options).toMatchObject({
      maxTurns: 20,
      shortCheck: false,
    });
  });

  it('walks on through the door and loses the success', () => {
    const episode = start('OpenDoorLoc', 0, compat);
    expect(episode.step(OPEN_FROM_AFAR)).toMatchObject({ done: false, success: false, reward: 0 });
    expect(episode.world.steps).toBe(9);
  });

  it('goes on after a failure, with the text of an end', () => {
    const result = start('PickupDistDebug', 0, compat).step('pickup purple box 1');
    expect(result).toMatchObject({ done: false, success: false, reward: 0 });
    expect(result.observation.text).toMatch(/The task is completed\./);
  });

  it('goes on after a late success, and pays it again until something moves', () => {
    const { episode, result } = succeedLate(compat);
    expect(result.reward).toBe(1 - 0.9 * (episode.world.steps / 64));
    expect(result.reward).toBeLessThanOrEqual(0.5);
    expect(result).toMatchObject({ done: false, success: true });
    for (const action of ['check', 'None available', '', 'pick up green key 1', 'go to green key 1'])
      expect(episode.step(action)).toMatchObject({ reward: result.reward, done: false, success: false });
    expect(episode.step('turn left')).toMatchObject({ reward: 0 });
    expect(episode.step('check')).toMatchObject({ reward: 0 });
  });

  it('says `and` for every order, and answers an error to the level that upstream cannot start', () => {
    const goals = (settings: BabyAiSettings) =>
      Array.from({ length: 12 }, (_, seed) => start('OpenDoorsOrderN4Debug', seed, settings).goal);
    expect(goals(compat).join()).not.toMatch(/then|after you/);
    expect(goals(compat).join()).toMatch(/ and open /);
    const missing = agentGymTask(3, 'train');
    expect(() => createBabyAi(compat).start(missing)).toThrow(
      /data index 3: its level 4, BabyAI-GoToObjS6-v0, is not registered/,
    );
    expect(createBabyAi({ ...compat, missingLevel: true }).start(missing).goal).toMatch(/^go to the /);
    expect(start('GoToObjS6', 0, compat).goal).toMatch(/^go to the /);
  });

  it('draws layouts as the second reset does, which on level 35 a locked room of the first can change', () => {
    const mission = (settings: BabyAiSettings) => start('SynthS5R2', 1013, settings).world.mission;
    expect(mission(compat)).toBe('put the green ball next to a box');
    expect(mission({ ...compat, doubleReset: false })).not.toBe(mission(compat));
  });
});

/** A play that goes to its object after forty turns on the spot, of the 64 steps a full reward is measured by. */
function succeedLate(settings: BabyAiSettings) {
  const episode = start('GoToLocalS8N7', 0, settings);
  for (let turn = 0; turn < 40; turn++) episode.step('turn left');
  return { episode, result: episode.step('go to green key 2') };
}

describe('the default rules', () => {
  it('end at a late success', () => {
    const { result } = succeedLate({ maxTurns: null });
    expect(result).toMatchObject({ done: true, success: true });
    expect(result.reward).toBeLessThanOrEqual(0.5);
  });

  it('pay a success once, even where it does not end the episode', () => {
    const { episode, result } = succeedLate({ maxTurns: null, endOnLowReward: false });
    expect(result).toMatchObject({ done: false, success: true });
    for (const action of ['check', 'None available', ''])
      expect(episode.step(action)).toMatchObject({ reward: 0, success: false });
  });

  it('tell the order of a mission', () => {
    const goals = Array.from({ length: 12 }, (_, seed) => start('OpenDoorsOrderN4Debug', seed).goal).join();
    expect(goals).toMatch(/, then open the /);
    expect(goals).toMatch(/ after you open the /);
  });
});

describe('options', () => {
  it('refuse a turn cap that is no positive integer', () => {
    for (const maxTurns of [0, 1.5, NaN])
      expect(() => createBabyAi({ maxTurns })).toThrow(
        `maxTurns must be a positive integer or null, got ${maxTurns}`,
      );
  });

  it('refuse a name, a value or a compat there is not, naming it', () => {
    // Configs and command lines reach here unchecked.
    const create = (settings: Record<string, unknown>) => () => createBabyAi(settings as BabyAiSettings);
    expect(create({ maxTurn: 5 })).toThrow(/no BabyAI option "maxTurn"\. Options: .*maxTurns/);
    expect(create({ payOnce: 'no' })).toThrow('payOnce must be true or false, got no');
    expect(create({ compat: 'minigrid' })).toThrow('compat must be agentgym or left out, got minigrid');
  });

  it('are recorded whole, whatever was given', () => {
    expect(createBabyAi({ shortCheck: false }).options).toEqual({
      ...createBabyAi().options,
      shortCheck: false,
    });
    expect(Object.keys(createBabyAi().options)).toEqual(
      Object.keys(createBabyAi({ compat: 'agentgym' }).options),
    );
  });

  it('keep the key of a locked room out of it where solvable, and only there', () => {
    const keyInside = (solvable: boolean) =>
      Array.from({ length: 60 }, (_, seed) => start('Unlock', seed, { solvable }).world).filter((world) => {
        const room = world.grid.rooms
          .flat()
          .find(({ doors }) =>
            doors.some((door) => door !== null && door !== 'opening' && door.state === 'locked'),
          );
        const colors = room?.doors.map((door) => (door !== null && door !== 'opening' ? door.color : null));
        return room?.objects.some(({ type, color }) => type === 'key' && colors?.includes(color));
      }).length;
    expect(keyInside(true)).toBeLessThan(keyInside(false));
  });

  it('change no layout of the training levels', () => {
    for (const level of ['GoToLocalS8N7', 'PickupLoc', 'Open', 'UnlockLocalDist']) {
      const hashes = [{}, { solvable: false }, { doubleReset: true }].map((settings) =>
        start(level, 11, settings).stateHash(),
      );
      expect(new Set(hashes).size).toBe(1);
    }
  });
});
