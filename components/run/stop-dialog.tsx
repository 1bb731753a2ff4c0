'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunDetail } from '@/contract/api';
import type { RunView } from '@/contract/run-view';
import { apiUrl, postJson } from '@/components/data/api-client';
import { refetchRun } from '@/components/data/run-queries';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Note } from '@/components/ui/panel';

/** What stopping this run does, in words, from what is known of it. */
export function stopEffect(view: RunView, workerName: string | null): string {
  if (view.status === 'queued')
    return 'No worker has claimed the run yet. It is taken from the queue at once.';
  const complete = view.checkpoints.filter((checkpoint) => checkpoint.complete);
  const newest = complete.at(-1);
  const kept = newest
    ? `Keeps ${complete.length} complete ${complete.length === 1 ? 'checkpoint' : 'checkpoints'}, the newest of step ${newest.step}.`
    : 'No checkpoint is complete yet: the weights are lost.';
  const lost =
    newest && view.step > newest.step
      ? ` What was learnt in steps ${newest.step + 1} to ${view.step} is lost unless the worker saves it within its grace.`
      : '';
  const who = workerName
    ? `Asks ${workerName} to stop, and ends its processes where it does not.`
    : 'No worker holds the run.';
  return `${who} ${kept}${lost} Points, trajectories and evaluations stay.`;
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
  const runId = detail.run.id;
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
      title={`Stop ${detail.run.name}?`}
      description={stopEffect(detail.view, detail.worker?.name ?? null)}
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
