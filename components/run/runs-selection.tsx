'use client';
import { useRouter } from 'next/navigation';
import type { RunRow } from '@/contract/api';
import { checkpointName, MAX_COMPARED } from '@/contract/compare';
import { comparisonHref } from '@/components/compare/compare-state';
import { Button, ButtonLink } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';

type Selectable = Pick<RunRow, 'id' | 'lastEvaluation'>;

/** Checkpoints to lay side by side: of each run the last evaluated; of a single run its base as well. */
export function selectedCheckpoints(runs: readonly Selectable[]): string[] {
  const last = runs.flatMap(({ id, lastEvaluation }) =>
    lastEvaluation ? [checkpointName({ runId: id, step: lastEvaluation.step })] : [],
  );
  const [only] = runs;
  const base =
    runs.length === 1 && only && last.length === 1 ? [checkpointName({ runId: only.id, step: 0 })] : [];
  return [...new Set([...base, ...last])].slice(0, MAX_COMPARED);
}

/** What can be done with the runs that are selected; floats above the status line while there are any. */
export function RunsSelectionBar({ runs, onClear }: { runs: readonly Selectable[]; onClear: () => void }) {
  const router = useRouter();
  const names = selectedCheckpoints(runs);
  const without = runs.filter(({ lastEvaluation }) => !lastEvaluation).length;
  useKeys(
    names.length > 0
      ? [{ keys: ['c'], label: 'compare', hint: true, run: () => router.push(comparisonHref(names)) }]
      : [],
  );
  if (runs.length === 0) return null;
  return (
    <div
      role="region"
      aria-label="Selected runs"
      className="fixed bottom-9 left-1/2 z-20 flex -translate-x-1/2 items-center gap-3 rounded-md border border-line-2 bg-surface px-3 py-1.5 text-sm shadow-float"
    >
      <span>
        {runs.length} {runs.length === 1 ? 'run' : 'runs'} selected
        {without > 0 && (
          <span className="text-ink-3">, {without} without a sampled evaluation on valid_seen</span>
        )}
      </span>
      {names.length > 0 && (
        <ButtonLink href={comparisonHref(names)} variant="primary">
          Compare last checkpoints <Kbd inverted>c</Kbd>
        </ButtonLink>
      )}
      <Button variant="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
