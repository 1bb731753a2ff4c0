import type { EvaluationRow } from '@/contract/api';
import { EvaluationResult } from '@/contract/evaluation';
import type { Database } from '../database';

/** A run's evaluations by step; of those that a newer attempt repeated, only the newest is current. */
export async function listEvaluations(database: Database, runId: string): Promise<EvaluationRow[]> {
  const rows = await database.prisma.evaluation.findMany({
    where: { runId },
    orderBy: [{ step: 'asc' }, { attempt: 'asc' }, { seq: 'asc' }],
  });
  const keyOf = (row: (typeof rows)[number]) => [row.step, row.policy, row.split, row.decoding].join('/');
  const newest = new Map(rows.map((row) => [keyOf(row), row.id]));
  return rows.map((row) => ({
    id: String(row.id),
    attempt: row.attempt,
    current: newest.get(keyOf(row)) === row.id,
    evaluation: EvaluationResult.parse(row.result),
  }));
}
