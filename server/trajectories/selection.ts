import type { TrajectorySelection } from '@/contract/trajectory-list';
import { SqlConditions } from '../sql-conditions';

const OUTCOMES = { true: true, false: false, not_stated: null };

/** Conditions on rows `trajectory` of a run, or of all runs where `runId` is null; all but the searched text. */
export function selectionOf(runId: string | null, selection: TrajectorySelection): SqlConditions {
  const conditions = new SqlConditions();
  const { success } = selection;
  conditions.add('trajectory."runId" = ?', runId);
  for (const name of [
    'step',
    'phase',
    'split',
    'taskType',
    'taskId',
    'decoding',
    'evaluation',
    'stopReason',
    'failureMode',
    'firstBadTurn',
  ] as const)
    conditions.add(`trajectory."${name}" = ?`, selection[name]);
  if (success) conditions.addTuple('trajectory."success" IS NOT DISTINCT FROM ?', [OUTCOMES[success]]);
  conditions.add('? = ANY(trajectory."flags")', selection.flag);
  conditions.add('trajectory."turnsCount" >= ?', selection.minTurns);
  conditions.add('trajectory."turnsCount" <= ?', selection.maxTurns);
  conditions.add('trajectory."replyTokens" >= ?', selection.minTokens);
  conditions.add('trajectory."replyTokens" <= ?', selection.maxTokens);
  conditions.add('trajectory."reward" >= ?', selection.minReward);
  conditions.add('trajectory."reward" <= ?', selection.maxReward);
  return conditions;
}
