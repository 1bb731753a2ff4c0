import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { groupAdvantages, isDegenerate } from './advantages';

const DATA = process.env.STEPSCOPE_DATA ?? '../shared/data';

const Rows = z.array(z.array(z.number()));
const tolerance = z.object({ relative: z.number(), absolute: z.number() });
const AgentGym = z.object({
  tolerance,
  cases: z.array(
    z.object({
      name: z.string(),
      inputs: z.object({
        token_level_rewards: Rows,
        response_mask: Rows,
        group_ids: z.array(z.coerce.string()),
      }),
      outputs: z.object({ advantages: Rows }),
    }),
  ),
});
const Lab = z.object({
  tolerance,
  cases: z.array(
    z.object({
      name: z.string(),
      inputs: z.object({ group_ids: z.array(z.coerce.string()), rewards: z.array(z.number()) }),
      outputs: z.object({ advantages: z.array(z.number()), degenerate_groups: z.number() }),
    }),
  ),
});

function golden<T>(schema: z.ZodType<T>, name: string): T {
  return schema.parse(JSON.parse(readFileSync(`${DATA}/golden/rl/${name}.json`, 'utf8')));
}

function byGroup<T>(ids: string[], values: T[]): Map<string, { index: number; value: T }[]> {
  const groups = new Map<string, { index: number; value: T }[]>();
  values.forEach((value, index) => {
    const id = ids[index] ?? '';
    groups.set(id, [...(groups.get(id) ?? []), { index, value }]);
  });
  return groups;
}

function advantagesOf(ids: string[], rewards: number[], scale: 'none' | 'std'): number[] {
  const advantages = new Array<number>(rewards.length).fill(NaN);
  for (const members of byGroup(ids, rewards).values()) {
    const values = groupAdvantages(
      members.map((member) => member.value),
      { scale },
    );
    members.forEach((member, i) => (advantages[member.index] = values[i] ?? NaN));
  }
  return advantages;
}

describe('group advantages', () => {
  it('are the reward less the mean', () => {
    expect(groupAdvantages([1, 0, 0.5, 0.5], { scale: 'none' })).toEqual([0.5, -0.5, 0, 0]);
  });

  it('divide by the sample standard deviation where asked', () => {
    const [up, down] = groupAdvantages([1, 0], { scale: 'std' });
    expect(up).toBeCloseTo(0.5 / (Math.SQRT1_2 + 1e-6), 12);
    expect(down).toBeCloseTo(-0.5 / (Math.SQRT1_2 + 1e-6), 12);
  });

  it('sum to zero in every group', () => {
    const rewards = [0.3, -0.2, 0.91, 0.05, 0.4];
    for (const scale of ['none', 'std'] as const)
      expect(groupAdvantages(rewards, { scale }).reduce((a, b) => a + b)).toBeCloseTo(0, 12);
  });

  it('are degenerate only where all rewards agree up to rounding', () => {
    expect(isDegenerate([0.1 + 0.2, 0.3, 0.3])).toBe(true);
    expect(isDegenerate([0.3, 0.3, 0.3001])).toBe(false);
  });
});

describe.skipIf(!existsSync(`${DATA}/golden/rl`))('group advantages of the public implementations', () => {
  it('agree with AgentGym-RL', () => {
    const { cases, tolerance } = golden(AgentGym, 'agentgymrl_compute_grpo_outcome_advantage');
    expect(cases.length).toBeGreaterThan(0);
    for (const { name, inputs, outputs } of cases) {
      const rewards = inputs.token_level_rewards.map((row) => row.reduce((a, b) => a + b, 0));
      const ours = advantagesOf(inputs.group_ids, rewards, 'std');
      outputs.advantages.forEach((row, i) =>
        row.forEach((value, t) => {
          const expected = (ours[i] ?? NaN) * (inputs.response_mask[i]?.[t] ?? NaN);
          const slack = tolerance.absolute + tolerance.relative * Math.abs(value);
          expect(Math.abs(expected - value), `${name} row ${i}`).toBeLessThanOrEqual(slack);
        }),
      );
    }
  });

  it('agree with agentic-rl-lab, degenerate groups counted', () => {
    const { cases, tolerance } = golden(Lab, 'agenticrllab_alfworld_assign_advantages');
    expect(cases.length).toBeGreaterThan(0);
    for (const { name, inputs, outputs } of cases) {
      const ours = advantagesOf(inputs.group_ids, inputs.rewards, 'none');
      outputs.advantages.forEach((value, i) => {
        const slack = tolerance.absolute + tolerance.relative * Math.abs(value);
        expect(Math.abs((ours[i] ?? NaN) - value), `${name} row ${i}`).toBeLessThanOrEqual(slack);
      });
      const degenerate = [...byGroup(inputs.group_ids, inputs.rewards).values()].filter((members) =>
        isDegenerate(members.map((member) => member.value)),
      );
      expect(degenerate.length, name).toBe(outputs.degenerate_groups);
    }
  });
});
