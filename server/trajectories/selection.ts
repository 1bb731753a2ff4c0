import type { TrajectorySelection } from '@/contract/trajectory-list';
import { SqlConditions } from '../sql-conditions';
import { readSearch } from './search';

/**
 * Conditions on rows `trajectory` of a run, or of all runs where `runId` is null. Throws `invalid_input` where the searched
 * text has no word.
 */
export function selectionOf(runId: string | null, selection: TrajectorySelection): SqlConditions {
  const conditions = new SqlConditions();
  const { success, text } = selection;
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
  conditions.add('trajectory."success" = ?', success === undefined ? undefined : success === 'true');
  conditions.add('? = ANY(trajectory."flags")', selection.flag);
  conditions.add('trajectory."turnsCount" >= ?', selection.minTurns);
  conditions.add('trajectory."turnsCount" <= ?', selection.maxTurns);
  conditions.add('trajectory."replyTokens" >= ?', selection.minTokens);
  conditions.add('trajectory."replyTokens" <= ?', selection.maxTokens);
  conditions.add('trajectory."reward" >= ?', selection.minReward);
  conditions.add('trajectory."reward" <= ?', selection.maxReward);
  if (text !== undefined)
    conditions.add(
      `EXISTS (SELECT FROM "TurnWords" words WHERE words."trajectoryId" = trajectory."id"
         AND words."words" @@ to_tsquery('simple', ?))`,
      readSearch(text).tsquery,
    );
  return conditions;
}
