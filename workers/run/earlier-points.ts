import { z } from 'zod';
import { RULE_SERIES, type EarlierPoints } from '@/rl/recipes/rules';
import { getAnswer } from '../connection/rest-answer';

/** Steps asked for at a time: with as many buckets as steps, each bucket is one point. */
const PAGE_STEPS = 5000;

const Curves = z.array(
  z.object({ name: z.string(), buckets: z.array(z.object({ last: z.number().nullable() })) }),
);

/** What the run measured up to a step, of the series that its rules look at, as the server has it. */
export async function earlierPointsOf(
  serverUrl: string,
  runId: string,
  toStep: number,
  signal: AbortSignal,
): Promise<EarlierPoints> {
  const points = new Map<string, number[]>(RULE_SERIES.map((name) => [name, []]));
  for (let fromStep = 0; fromStep <= toStep; fromStep += PAGE_STEPS) {
    const pageEnd = Math.min(toStep, fromStep + PAGE_STEPS - 1);
    const query = new URLSearchParams([
      ...RULE_SERIES.map((name) => ['name', name]),
      ['buckets', String(PAGE_STEPS)],
      ['fromStep', String(fromStep)],
      ['toStep', String(pageEnd)],
    ]);
    const path = `/runs/${encodeURIComponent(runId)}/series?${query.toString()}`;
    for (const { name, buckets } of await getAnswer(serverUrl, path, Curves, signal))
      points.get(name)?.push(...buckets.map(({ last }) => last ?? NaN));
  }
  return points;
}
