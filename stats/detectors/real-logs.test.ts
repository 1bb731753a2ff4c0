import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DETECTORS } from '@/contract/alert';
import { findingsBy, factsOf, type Curves } from './testing/specimens';

const LOGS = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'logs');

/** A CSV of metrics by step; empty cells were not measured. */
function readCsv(file: string): Curves {
  const [head = '', ...rows] = readFileSync(join(LOGS, file), 'utf8').trim().split('\n');
  const names = head.split(',');
  const curves: Curves = {};
  for (const row of rows) {
    const cells = row.split(',');
    const step = Number(cells[0]);
    cells.forEach((cell, index) => {
      const name = names[index];
      if (index > 0 && name !== undefined && cell !== '') (curves[name] ??= {})[step] = Number(cell);
    });
  }
  return curves;
}

/** Lines `step:1 - name:value - name:value`. */
function readConsole(file: string): Curves {
  const curves: Curves = {};
  for (const line of readFileSync(join(LOGS, file), 'utf8').split('\n')) {
    const [, step, metrics = ''] = /step:(\d+) - (.*)$/.exec(line) ?? [];
    for (const metric of step === undefined ? [] : metrics.split(' - ')) {
      const colon = metric.lastIndexOf(':');
      (curves[metric.slice(0, colon)] ??= {})[Number(step)] = Number(metric.slice(colon + 1));
    }
  }
  return curves;
}

/** `detector subject @ step` of everything found in some curves. */
function found(curves: Curves): string[] {
  const facts = factsOf({ curves });
  return DETECTORS.flatMap((detector) =>
    findingsBy(detector, facts).map(({ subject, step }) => `${detector} ${subject} @ ${step}`),
  );
}

describe.skipIf(!existsSync(LOGS))('real logs', () => {
  it('of a run that never learns: no group has variance from the start, found at step 5', () => {
    const curves = readCsv('verl_alfworld_grpo.csv');
    expect(found(curves)).toEqual(['zero_variance_groups group_reward_all_zero_rate @ 5']);
    const rate = curves.group_reward_all_zero_rate ?? {};
    for (let step = 5; step < 50; step += 5) rate[step] = 0.5;
    expect(found(curves)).toEqual([]);
  });

  it('of DAPO on BabyAI: replies cut from the start, rewards above 1 where the environment pays twice', () => {
    const curves = readCsv('verl_babyai_dapo.csv');
    expect(found(curves)).toEqual([
      'length_change response_length_clip_ratio @ 1',
      'paid_reward critic_score_max @ 67',
      'paid_reward critic_score_max @ 88',
      'paid_reward critic_score_max @ 169',
    ]);
    const capped = (name: string, highest: number) =>
      Object.fromEntries(
        Object.entries(curves[name] ?? {}).map(([step, value]) => [step, Math.min(value, highest)]),
      );
    const healed = {
      ...curves,
      critic_score_max: capped('critic_score_max', 1),
      response_length_clip_ratio: capped('response_length_clip_ratio', 0.2),
    };
    expect(found(healed)).toEqual([]);
  });

  it('of a healthy run on ALFWorld', () => {
    expect(found(readCsv('alfworld_grpo_telemetry.csv'))).toEqual([]);
  });

  it('of AgentGym-RL’s console: entropy at half its start from step 28 on', () => {
    expect(found(readConsole('verl_console_babyai.log'))).toEqual(['entropy_change actor/entropy_loss @ 28']);
  });
});
