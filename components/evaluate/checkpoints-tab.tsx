'use client';
import type { CheckpointRow, EvaluationRow, RunDetail } from '@/contract/api';
import { useRequestedEvaluations } from '@/components/data/evaluation-queries';
import { Fetched } from '@/components/data/fetched';
import { useUrlState } from '@/components/data/url-state';
import { playHref } from '@/components/play/play-draft';
import { CheckpointsTable } from '@/components/run/checkpoints-table';
import { runConfigOf } from '@/components/run/run-config-of';
import { Button } from '@/components/ui/button';
import { useKeys } from '@/components/ui/key-map';
import { EvaluateDialog } from './evaluate-dialog';
import { RequestedTable } from './requested-table';

interface CheckpointsTabProps {
  detail: RunDetail;
  checkpoints: readonly CheckpointRow[];
  evaluations: readonly EvaluationRow[];
}

/** A run's checkpoints, those that are chosen for an evaluation, and the evaluations that were asked for. Choice and dialog are in the URL. */
export function CheckpointsTab({ detail, checkpoints, evaluations }: CheckpointsTabProps) {
  const { params, set } = useUrlState();
  const requested = useRequestedEvaluations(detail.run.id);
  const source = runConfigOf(detail);
  const complete = [...new Set(checkpoints.filter((each) => each.complete).map(({ step }) => step))];
  const evaluable = source !== null && source.engine.kind !== 'none';
  const chosen = stepsOf(params.get('chosen')).filter((step) => complete.includes(step));
  const evaluated = params.has('evaluate') ? stepsOf(params.get('evaluate')) : null;
  const choose = (steps: readonly number[]) => set({ chosen: steps.join(',') });
  const toggle = (step: number) => {
    // The address bar, not what was rendered: two clicks within a frame must both count.
    const now = stepsOf(new URLSearchParams(window.location.search).get('chosen'));
    choose(now.includes(step) ? now.filter((each) => each !== step) : [...now, step]);
  };
  const evaluate = (steps: readonly number[]) => set({ evaluate: steps.join(',') }, 'push');
  const orBase = chosen.length > 0 ? chosen : [0];
  useKeys(
    evaluable ? [{ keys: ['e'], label: 'evaluate the chosen checkpoints', run: () => evaluate(orBase) }] : [],
  );
  return (
    <div className="flex flex-col gap-2.5">
      {evaluable && (
        <div className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          <span>
            {chosen.length} of {complete.length} complete{' '}
            {complete.length === 1 ? 'checkpoint' : 'checkpoints'} chosen
          </span>
          <Button size="small" onClick={() => choose(complete)} disabled={complete.length === 0}>
            All
          </Button>
          <Button size="small" onClick={() => choose(everySecond(complete))} disabled={complete.length < 2}>
            Every second
          </Button>
          <Button size="small" onClick={() => choose([])} disabled={chosen.length === 0}>
            None
          </Button>
          <Button size="small" variant="primary" onClick={() => evaluate(orBase)}>
            {chosen.length === 0
              ? 'Evaluate the untrained model…'
              : `Evaluate ${chosen.length} ${chosen.length === 1 ? 'checkpoint' : 'checkpoints'}…`}
          </Button>
        </div>
      )}
      <CheckpointsTable
        checkpoints={checkpoints}
        evaluations={evaluations}
        choice={
          evaluable
            ? {
                chosen,
                toggle,
                evaluate: (step) => evaluate([step]),
                playHref: (step) => playHref({ runId: detail.run.id, step }),
              }
            : undefined
        }
      />
      <Fetched query={requested} what="the requested evaluations" height={160}>
        {(rows) => <RequestedTable rows={rows} />}
      </Fetched>
      {evaluated !== null && source !== null && evaluated.length > 0 && (
        <EvaluateDialog
          key={evaluated.join(',')}
          detail={detail}
          source={source}
          steps={evaluated}
          onClose={() => set({ evaluate: null })}
        />
      )}
    </div>
  );
}

/** `10,20` as numbers, ascending; what is none is left out. */
function stepsOf(text: string | null): number[] {
  const steps = (text ?? '').split(',').filter((part) => /^\d{1,9}$/.test(part));
  return [...new Set(steps.map(Number))].sort((a, b) => a - b);
}

/** Counted back from the newest, as a sweep is. */
function everySecond(steps: readonly number[]): number[] {
  const ascending = [...steps].sort((a, b) => a - b);
  return ascending.filter((_, index) => (ascending.length - 1 - index) % 2 === 0);
}
