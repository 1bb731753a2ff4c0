'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunDetail } from '@/contract/api';
import { isHeldStatus } from '@/contract/run';
import { newestCheckpoint, type RunView } from '@/contract/run-view';
import { apiUrl, postJson } from '@/components/data/api-client';
import { refetchRun } from '@/components/data/run-queries';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Note } from '@/components/ui/panel';
import { trains } from './run-parts';

/**
 * What stopping this run does, in words, from what is known of it.
 *
 * @param trained whether the run updates and saves weights; work on a checkpoint saves none
 */
export function stopEffect(view: RunView, workerName: string | null, trained = true): string {
  const records = 'Points, trajectories and evaluations stay.';
  if (view.status === 'queued' && view.attempt === 0)
    return 'No worker has claimed the run yet. It is taken from the queue at once.';
  if (!isHeld(view)) {
    const free =
      view.status === 'lost'
        ? 'Its worker is not heard of, so the run is stopped at once.'
        : 'No worker holds the run: it is stopped at once.';
    return words(free, trained && ifCutOff(view), records);
  }
  const who = workerName ?? 'what runs it';
  if (!trained) return words(`Asks ${who} to end what it is at, and cuts it off where it does not.`, records);
  const ending =
    view.status === 'paused'
      ? 'it finishes the step that it is in, or leaves it where that waits for an answer'
      : 'it finishes the step that it is in';
  return words(
    `Asks ${who} to stop: ${ending}, and saves a checkpoint there, from which Continue goes on.`,
    view.step === 0 && 'Before the first step has begun there is nothing to save.',
    'If the worker is gone, or is not done within its grace, that step is lost.',
    ifCutOff(view),
    records,
  );
}

/** Whether a worker is to be asked; a run that waits for a person, or whose worker is lost, is stopped by the server alone. */
function isHeld({ status, awaitsPerson }: RunView): boolean {
  return isHeldStatus(status) && !(status === 'paused' && awaitsPerson === true);
}

/** What is left where no further checkpoint is saved. */
function ifCutOff(view: RunView): string {
  const complete = view.checkpoints.filter((checkpoint) => checkpoint.complete);
  const newest = newestCheckpoint(view);
  if (newest === null)
    return view.step === 0
      ? 'No checkpoint is complete yet, so Continue has nothing to go on from.'
      : 'No checkpoint is complete yet, so what was learnt is then lost.';
  const kept = `Continue then goes on from step ${newest.step}, the newest of ${complete.length} complete ${complete.length === 1 ? 'checkpoint' : 'checkpoints'}`;
  return view.step > newest.step
    ? `${kept}, and what was learnt in steps ${newest.step + 1} to ${view.step} is lost.`
    : `${kept}.`;
}

function words(...sentences: (string | false)[]): string {
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

export function StopDialog({
  detail,
  open,
  onOpenChange,
}: {
  detail: RunDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const client = useQueryClient();
  const { run } = detail;
  const runId = run.id;
  const stop = useMutation({
    mutationFn: () => postJson<unknown>(apiUrl(`/runs/${encodeURIComponent(runId)}/stop`), {}),
    onSuccess: async () => {
      onOpenChange(false);
      await refetchRun(client, runId);
    },
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Stop ${run.name}?`}
      description={stopEffect(
        detail.view,
        detail.worker?.name ?? null,
        trains(run.recipe) && run.kind !== 'import',
      )}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Keep it running</Button>
          <Button variant="danger" disabled={stop.isPending} onClick={() => stop.mutate()}>
            {stop.isPending ? 'Asking…' : 'Stop the run'}
          </Button>
        </>
      }
    >
      {stop.error && (
        <div className="mt-2">
          <Note tone="bad" role="alert">
            {stop.error.message}
          </Note>
        </div>
      )}
    </Dialog>
  );
}
