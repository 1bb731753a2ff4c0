import type { EvaluationRow } from '@/contract/api';
import { checkpointName, MAX_COMPARED } from '@/contract/compare';
import { comparisonHref } from '@/components/compare/compare-state';
import { ButtonLink } from '@/components/ui/button';

/** Opens the run's evaluated checkpoints side by side; not there before two are. */
export function CompareLink({
  runId,
  evaluations,
}: {
  runId: string;
  evaluations: readonly EvaluationRow[];
}) {
  const names = comparedNames(runId, evaluations);
  if (names.length < 2) return null;
  return (
    <ButtonLink href={comparisonHref(names)} size="small">
      Compare
    </ButtonLink>
  );
}

/** Names of the evaluated checkpoints by step; of more than fit the first, as baseline, and the newest. */
export function comparedNames(runId: string, evaluations: readonly EvaluationRow[]): string[] {
  const references = evaluations
    .filter(({ current, evaluation: { policy, n } }) => current && policy === 'checkpoint' && n > 0)
    .map(({ evaluation: { checkpoint, step } }) => checkpoint ?? { runId, step })
    .sort((a, b) => a.step - b.step);
  const names = [...new Set(references.map(checkpointName))];
  return names.length <= MAX_COMPARED ? names : [...names.slice(0, 1), ...names.slice(1 - MAX_COMPARED)];
}
