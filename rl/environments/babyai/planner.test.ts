import { describe, expect, it } from 'vitest';
import { createBabyAi } from './babyai';
import { planAction, type PlannedAction } from './planner';
import { babyAiTask } from './task';

const environment = createBabyAi();
const start = (level: string, seed: number) => environment.start(babyAiTask(level, seed, 'train'));

/** Follows the plan to the end of the episode. */
function follow(level: string, seed: number): { plans: PlannedAction[]; success: boolean } {
  const episode = start(level, seed);
  const plans: PlannedAction[] = [];
  for (;;) {
    const plan = planAction(episode);
    expect(episode.observe().availableActions).toContain(plan.action);
    plans.push(plan);
    const { done, success, valid } = episode.step(plan.action);
    expect(valid).toBe(true);
    if (done) return { plans, success };
  }
}

describe('planAction', () => {
  it('acts on the target where that is offered', () => {
    expect(planAction(start('OpenDoorLoc', 0))).toEqual({
      action: 'toggle and go through grey closed door 1',
      phase: 'target',
      targetInView: true,
      throughDoor: false,
    });
    expect(planAction(start('PickupDistDebug', 0)).action).toBe('pickup green key 1');
  });

  it('turns the shorter way to a target it cannot see', () => {
    // The keys lie below and to the right of an agent that faces right along the upper wall.
    expect(planAction(start('PickupDistDebug', 1))).toEqual({
      action: 'turn right',
      phase: 'target',
      targetInView: false,
      throughDoor: false,
    });
    expect(planAction(start('GoToLocalS8N7', 1)).action).toBe('turn left');
  });

  it('fetches the key of a locked door first', () => {
    const door = start('UnlockLocalDist', 0).world.grid.cells.find((object) => object?.type === 'door');
    expect(door).toMatchObject({ state: 'locked', color: 'purple' });
    const { plans, success } = follow('UnlockLocalDist', 0);
    expect(success).toBe(true);
    const phases = plans.map(({ phase }) => phase);
    expect(phases.indexOf('key')).toBeGreaterThanOrEqual(0);
    expect(phases.lastIndexOf('key')).toBeLessThan(phases.indexOf('target'));
    expect(plans.find(({ phase, targetInView }) => phase === 'key' && targetInView)?.action).toBe(
      'pickup purple key 1',
    );
  });

  it('leaves the room through a door where the target is elsewhere', () => {
    const plans = Array.from({ length: 20 }, (_, seed) => follow('Open', seed)).flatMap(
      (played) => played.plans,
    );
    const through = plans.filter(({ throughDoor }) => throughDoor);
    expect(through.length).toBeGreaterThan(0);
    for (const { action, targetInView } of through) {
      expect(action).toMatch(/go through/);
      expect(targetInView).toBe(false);
    }
  });

  it('succeeds in one room on every task', () => {
    for (const level of ['GoToLocalS8N7', 'PickupDistDebug', 'OpenDoorLoc']) {
      for (let seed = 0; seed < 20; seed++) expect(follow(level, seed).success).toBe(true);
    }
  });

  it('refuses missions it does not know', () => {
    expect(() => planAction(start('PutNextLocalS6N4', 0))).toThrow(/not "put /);
  });
});
