import type { EvaluationRow } from '@/contract/api';
import { evaluationKey, EvaluationResult } from '@/contract/evaluation';
import type { Database } from '../database';

/** A run's evaluations by step; of those that a newer attempt repeated, only the newest is current. */
export async function listEvaluations(database: Database, runId: string): Promise<EvaluationRow[]> {
  const rows = await database.prisma.evaluation.findMany({
    where: { runId },
    orderBy: [{ step: 'asc' }, { attempt: 'asc' }, { seq: 'asc' }],
  });
  const read = rows.map(({ id, attempt, result }) => {
    const evaluation = EvaluationResult.parse(result);
    // Rows that were stored before evaluations had keys have none in their column.
    return { id: String(id), attempt, key: evaluationKey(evaluation), evaluation };
  });
  const newest = new Map(read.map(({ key, id }) => [key, id]));
  return read.map((row) => ({ ...row, current: newest.get(row.key) === row.id }));
}
