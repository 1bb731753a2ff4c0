import type { EvaluationResult, TaskTypeCount } from '@/contract/evaluation';
import { damaged } from './importer';

/** An evaluation of which a text states the counts and perhaps some settings: everything else is null. */
export function statedEvaluation(
  stated: Pick<EvaluationResult, 'step' | 'split' | 'environment' | 'n' | 'successes'> &
    Partial<EvaluationResult>,
): EvaluationResult {
  return {
    checkpoint: null,
    policy: 'checkpoint',
    splitHash: '',
    environmentVersion: 'n/a',
    environmentOptions: {},
    scaffold: 'n/a',
    decoding: 'sampled',
    temperature: null,
    topK: null,
    topP: null,
    maxTurns: null,
    maxReplyTokens: null,
    maxPromptTokens: null,
    seed: null,
    invalidActions: null,
    turns: null,
    rewardMean: null,
    byTaskType: [],
    errors: null,
    truncated: null,
    seconds: null,
    ...stated,
  };
}

/** A count of a task type's successes, of which nothing else is stated. */
export function statedType(taskType: string, successes: number, n: number): TaskTypeCount {
  return { taskType, n, successes, invalidActions: null, turns: null };
}

/**
 * The count behind a stated rate of `n` tasks. Throws where no count rounds to it.
 * @param stated the rate as printed, in percent or as a fraction by `unit`
 */
export function countOf(
  file: string,
  line: number,
  stated: string,
  n: number,
  unit: 'percent' | 'fraction',
): number {
  const scale = unit === 'percent' ? 100 : 1;
  const k = Math.round((Number(stated) / scale) * n);
  const decimals = stated.split('.')[1]?.length ?? 0;
  if (!Number.isFinite(k) || ((k / n) * scale).toFixed(decimals) !== Number(stated).toFixed(decimals))
    throw damaged(file, line, `${stated} is no rate of ${n} tasks`);
  return k;
}
