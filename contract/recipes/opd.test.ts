import { describe, expect, it } from 'vitest';
import { OpdConfig } from './opd';
import { OPD_PRESETS } from './opd-presets';

const { small } = OPD_PRESETS;
const endpoint = { address: 'https://host/v1', model: 'teacher-1' };
const issuesOf = (config: unknown) =>
  OpdConfig.safeParse(config).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a config of on-policy distillation', () => {
  it('that was stored before endpoints could teach reads as it did', () => {
    const { kind, model, children } = small.teacher;
    expect(OpdConfig.parse({ ...small, teacher: { kind, model, children } })).toEqual(small);
  });

  it('names an endpoint where that teaches', () => {
    const teacher = { ...small.teacher, kind: 'endpoint' };
    expect(issuesOf({ ...small, teacher })).toEqual([
      'teacher.endpoint: expected an endpoint, for teacher.kind is endpoint',
    ]);
    expect(issuesOf({ ...small, teacher: { ...teacher, endpoint } })).toBeUndefined();
  });

  it('has its teacher’s prices in the currency of the budget', () => {
    const prices = { currency: 'EUR', prefillPerMillion: 1, samplePerMillion: 1 };
    const cost = { ...prices, currency: 'USD', trainPerMillion: 1 };
    const rules = { costBudget: 5 };
    const teacher = { ...small.teacher, kind: 'endpoint', endpoint: { ...endpoint, prices } };
    expect(issuesOf({ ...small, cost, rules, teacher })).toEqual([
      'teacher.endpoint.prices.currency: expected USD, in which rules.costBudget is counted, got EUR',
    ]);
    expect(issuesOf({ ...small, cost, rules, teacher: { ...small.teacher, prices } })).toEqual([
      'teacher.prices.currency: expected USD, in which rules.costBudget is counted, got EUR',
    ]);
  });
});
