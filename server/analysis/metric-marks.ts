import type { MetricMark, MetricMarkRequest } from '@/contract/alert';
import { AppError } from '@/contract/errors';
import type { Database } from '../database';

/** Metrics of a run that say nothing, by name: charts, comparisons and reports leave them out. */
export async function listMetricMarks({ prisma }: Database, runId: string): Promise<MetricMark[]> {
  const rows = await prisma.metricMark.findMany({ where: { runId }, orderBy: { name: 'asc' } });
  return rows.map(({ name, reason, createdAt }) => ({ name, reason, createdAt: createdAt.getTime() }));
}

/** Marks a metric of a run, or changes the reason; throws `not_found` where the run has no such series. */
export async function markMetric(
  { prisma }: Database,
  runId: string,
  { name, reason }: MetricMarkRequest,
): Promise<void> {
  const series = await prisma.series.findUnique({ where: { runId_name: { runId, name } } });
  if (!series)
    throw new AppError('not_found', `run ${runId} has no series ${name}`, [
      { path: 'name', message: 'expected the name of a series of the run' },
    ]);
  await prisma.metricMark.upsert({
    where: { runId_name: { runId, name } },
    create: { runId, name, reason },
    update: { reason },
  });
}

/** Takes a mark away; none is there afterwards, whether or not there was one. */
export async function unmarkMetric({ prisma }: Database, runId: string, name: string): Promise<void> {
  await prisma.metricMark.deleteMany({ where: { runId, name } });
}
