import { describe, expect, it } from 'vitest';
import type { PublishedPayload } from '@/contract/run-events';
import { RunFacts } from './run-facts';
import { aSummary, factsOf, findingsBy, type SpecimenTrajectory } from './testing/specimens';

/** `count` trajectories at a step, of which the first is `special`. */
function stepOf(step: number, count: number, special: SpecimenTrajectory, usual: SpecimenTrajectory = {}) {
  return Array.from({ length: count }, (_, index): SpecimenTrajectory => {
    const { summary, marks } = index === 0 ? special : usual;
    return { summary: { step, id: `s${step}-${index}`, ...summary }, marks };
  });
}

describe('the “none available” loop', () => {
  const loop = { noneAvailable: { start: 4, length: 6 } };

  it('fires at step 31 of four trajectories a step, and opens the turn at which it begins', () => {
    const trajectories = [...stepOf(1, 4, {}), ...stepOf(31, 4, { marks: loop })];
    const [found, ...others] = findingsBy('none_available', factsOf({ trajectories }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ subject: 'eval', step: 31, severity: 'warning' });
    expect(found?.message).toBe(
      '1 of 4 trajectories say 3 times in a row or more that no action is available, the longest 6 times',
    );
    expect(found?.evidence).toEqual([
      { kind: 'trajectory', trajectoryId: 's31-0', turn: 4 },
      { kind: 'step', step: 31, phase: 'eval' },
    ]);
  });

  it('is silent where none is said twice and then an action is found', () => {
    const healed = { noneAvailable: { start: 4, length: 2 } };
    const trajectories = [...stepOf(1, 4, {}), ...stepOf(31, 4, { marks: healed })];
    expect(findingsBy('none_available', factsOf({ trajectories }))).toEqual([]);
  });
});

describe('repeated actions', () => {
  it('fire on left and right in turn, and are over after twenty steps without', () => {
    const loop = { start: 2, length: 12, period: 2, repeats: 6 };
    const quiet = Array.from({ length: 20 }, (_, after) => stepOf(11 + after, 20, {})).flat();
    const facts = factsOf({
      trajectories: [...stepOf(9, 20, {}), ...stepOf(10, 20, { marks: { loop } }), ...quiet],
    });
    expect(findingsBy('repeated_actions', facts)).toMatchObject([
      {
        step: 10,
        lastStep: 10,
        isOver: true,
        severity: 'notice',
        message: '1 of 20 trajectories repeat themselves, the longest 2 actions in turn 6 times',
      },
    ]);
  });
});

describe('ungrounded actions', () => {
  it('fire above 30 % of a step’s turns and name the trajectory that has the most', () => {
    const marks = { ungrounded: 7, firstUngrounded: 3 };
    const [found] = findingsBy('ungrounded_actions', factsOf({ trajectories: stepOf(31, 2, { marks }) }));
    expect(found?.message).toBe(
      '7 of 20 turns (35.0 %) of 2 trajectories have an action that was not offered or was refused',
    );
    const healed = stepOf(31, 2, { marks: { ungrounded: 6, firstUngrounded: 3 } });
    expect(findingsBy('ungrounded_actions', factsOf({ trajectories: healed }))).toEqual([]);
  });
});

describe('format collapse without a series', () => {
  it('is counted from the turns of training', () => {
    const trained = (step: number, malformed: number) =>
      stepOf(step, 1, { summary: { phase: 'train' }, marks: { malformed } });
    const trajectories = [0, 1, 2, 3, 4, 5, 6].flatMap((step) => trained(step, step < 6 ? 0 : 10));
    // Smoothed: .3 x 1 = .30, not above; at step 7 .3 + .7 x .3 = .51.
    expect(findingsBy('format_collapse', factsOf({ trajectories }))).toEqual([]);
    const facts = factsOf({ trajectories: [...trajectories, ...trained(7, 10)] });
    expect(findingsBy('format_collapse', facts)).toMatchObject([
      { step: 7, evidence: [{ kind: 'step', step: 7, phase: 'train' }] },
    ]);
  });
});

describe('groups', () => {
  const grouped = (step: number, rewards: readonly (readonly number[])[]) =>
    rewards.flatMap((group, index) =>
      group.map((reward, sample): SpecimenTrajectory => ({
        summary: { step, phase: 'train', group: index, sample, reward, advantage: 0 },
      })),
    );
  const steps = [0, 1, 2, 3, 4, 5];

  it('without variance fire at the fifth step in a row without one that differs', () => {
    const flat = [
      [1, 1],
      [0, 0],
    ];
    const facts = factsOf({ trajectories: steps.flatMap((step) => grouped(step, flat)) });
    expect(findingsBy('zero_variance_groups', facts)).toMatchObject([
      {
        step: 4,
        lastStep: 5,
        severity: 'warning',
        message: 'all groups have rewards that do not differ, steps 0 to 4',
      },
    ]);
    const healed = steps.flatMap((step) =>
      grouped(
        step,
        step === 2
          ? [
              [1, 0],
              [0, 0],
            ]
          : flat,
      ),
    );
    expect(findingsBy('zero_variance_groups', factsOf({ trajectories: healed }))).toEqual([]);
  });

  it('without variance are told by the highest and lowest reward where nothing else tells', () => {
    const same = Object.fromEntries(steps.map((step) => [step, 0.25]));
    const facts = factsOf({ curves: { 'critic/score/max': same, 'critic/score/min': same } });
    expect(findingsBy('zero_variance_groups', facts)).toMatchObject([{ step: 4 }]);
  });

  it('of one fire above a tenth of the trajectories, not where no advantage was given', () => {
    const alone = grouped(0, [[1], [1, 0, 1, 0]]);
    expect(findingsBy('singleton_groups', factsOf({ trajectories: alone }))).toMatchObject([
      { step: 0, message: '20.0 % of trajectories (1 of 5) are in groups of one, which have no baseline' },
    ]);
    const unweighed = alone.map(({ summary }) => ({ summary: { ...summary, advantage: null } }));
    expect(findingsBy('singleton_groups', factsOf({ trajectories: unweighed }))).toEqual([]);
    const healed = grouped(0, [
      [1, 1],
      [1, 0, 1, 0],
    ]);
    expect(findingsBy('singleton_groups', factsOf({ trajectories: healed }))).toEqual([]);
  });

  it('of one are told by the smallest group and by the share of lone turns', () => {
    const curves = { 'group_size/min': { 1: 8, 2: 1 }, 'strata/lone_turn_rate': { 1: 0.1, 2: 0.11 } };
    expect(
      findingsBy('singleton_groups', factsOf({ curves })).map(({ subject, step }) => [subject, step]),
    ).toEqual([
      ['strata/lone_turn_rate', 2],
      ['group_size/min', 2],
    ]);
  });
});

describe('a reward above 1', () => {
  it('is paid loop: the score climbs to 2.0 after the task is completed', () => {
    const paid = { summary: { reward: 2 }, marks: { completedEarly: 11, completed: true } };
    const [found] = findingsBy('paid_reward', factsOf({ trajectories: stepOf(31, 4, paid) }));
    expect(found?.message).toBe(
      '1 of 4 trajectories have a reward above 1, the highest 2; 1 of 4 go on after their task is completed',
    );
    expect(found?.evidence).toEqual([
      { kind: 'trajectory', trajectoryId: 's31-0', turn: null },
      { kind: 'trajectory', trajectoryId: 's31-0', turn: 11 },
    ]);
    const healed = { summary: { reward: 0.4 }, marks: { completed: true } };
    expect(findingsBy('paid_reward', factsOf({ trajectories: stepOf(31, 4, healed) }))).toEqual([]);
  });

  it('is none where the environment pays 10 for a won task', () => {
    const won = { summary: { reward: 10 } };
    expect(findingsBy('paid_reward', factsOf({ trajectories: stepOf(1, 4, won, won) }))).toEqual([]);
  });
});

describe('a flag of success', () => {
  it('that is false in 12 trajectories although 11 say that the task is completed is constant', () => {
    const won = { marks: { completed: true }, summary: { reward: 0.9 } };
    const [found] = findingsBy('constant_metric', factsOf({ trajectories: stepOf(0, 12, {}, won) }));
    expect(found?.message).toContain('in all 12 trajectories, though the environment says in 11');
    const healed = stepOf(0, 12, { summary: { success: true } }, won);
    expect(findingsBy('constant_metric', factsOf({ trajectories: healed }))).toEqual([]);
  });
});

describe('the facts of a run', () => {
  const point = (step: number, value: number): PublishedPayload => ({
    kind: 'points:measured',
    step,
    points: [{ name: 'actor/entropy', value }],
  });

  it('are those of the newest attempt at each step, whatever order they come in', () => {
    const facts = new RunFacts();
    for (const [event, attempt] of [
      [point(1, 0.1), 1],
      [point(2, 0.9), 2],
      [point(2, 0.2), 1],
    ] as const)
      facts.add(event, attempt, () => null);
    expect(facts.of('entropy')[0]?.points).toEqual([
      { step: 1, value: 0.1 },
      { step: 2, value: 0.9 },
    ]);
  });

  it('have no value of an earlier attempt where the newest one measured NaN', () => {
    const facts = new RunFacts();
    const nan: PublishedPayload = {
      kind: 'points:measured',
      step: 1,
      points: [{ name: 'actor/entropy', value: 'NaN' }],
    };
    facts.add(point(1, 0.1), 1, () => null);
    facts.add(nan, 2, () => null);
    expect(facts.of('entropy')[0]?.points).toEqual([]);
  });

  it('leave out a step that the newest attempt is repeating, however far the one before it came', () => {
    const facts = new RunFacts();
    const play = (step: number, attempt: number) =>
      facts.add({ kind: 'trajectory:finished', trajectory: aSummary(step) }, attempt, () => null);
    for (const step of [0, 1, 2, 3]) play(step, 1);
    facts.add({ kind: 'step:finished', step: 3, steps: 9 }, 1, () => null);
    play(1, 2);
    expect(facts.trajectories('eval').map(({ step, attempt }) => [step, attempt])).toEqual([
      [0, 1],
      [2, 1],
    ]);
    play(2, 2);
    expect(facts.trajectories('eval').map(({ step, attempt }) => [step, attempt])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('leave out a step whose trajectories may still be coming', () => {
    const facts = new RunFacts();
    const finished = factsOf({ trajectories: stepOf(3, 2, {}) });
    expect(finished.trajectories('eval').map(({ step, n }) => [step, n])).toEqual([[3, 2]]);
    const trajectory = { ...stepOf(3, 1, {})[0]?.summary };
    expect(trajectory.step).toBe(3);
    facts.add({ kind: 'step:finished', step: 3, steps: 9 }, 1, () => null);
    expect(facts.trajectories('eval')).toEqual([]);
  });
});
