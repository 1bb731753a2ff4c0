'use client';
import { useState } from 'react';
import { EyeOff } from 'lucide-react';
import { useMarkMetric } from '@/components/data/alert-queries';
import { Button, IconButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Note } from '@/components/ui/panel';
import { useSeriesNotes } from './series-notes';

/** On a chart: marks its metric meaningless or, where it is marked and shown all the same, hides it again. */
export function MarkMetricButton({ name }: { name: string }) {
  const { runId, mark, messages, setShown } = useSeriesNotes(name);
  const [open, setOpen] = useState(false);
  if (runId === null) return null;
  if (mark !== null)
    return (
      <Button size="small" variant="quiet" title={mark.reason} onClick={() => setShown(false)}>
        Hide
      </Button>
    );
  return (
    <>
      <IconButton
        label={`Mark ${name} as meaningless`}
        className="size-5 self-center opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
        onClick={() => setOpen(true)}
      >
        <Icon of={EyeOff} size="small" />
      </IconButton>
      {open ? (
        <MarkMetricDialog runId={runId} name={name} found={messages} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface MarkMetricDialogProps {
  runId: string;
  name: string;
  /** What the detectors found in it. */
  found: readonly string[];
  onClose: () => void;
}

export function MarkMetricDialog({ runId, name, found, onClose }: MarkMetricDialogProps) {
  const { mark } = useMarkMetric(runId);
  const [reason, setReason] = useState('');
  const send = () => mark.mutate({ name, reason }, { onSuccess: onClose });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title="Mark as meaningless"
      description={
        <>
          Charts, comparisons and reports leave out <code className="font-mono text-mono">{name}</code> of run{' '}
          {runId} and say why, with a way to show it. Its points stay.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Keep it shown</Button>
          <Button variant="primary" disabled={reason.trim() === '' || mark.isPending} onClick={send}>
            {mark.isPending ? 'Marking…' : 'Hide it'}
          </Button>
        </>
      }
    >
      <form
        className="mt-2.5 flex flex-col gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') send();
        }}
      >
        <label htmlFor="mark-reason" className="text-xs text-ink-3">
          Why it says nothing, such as “= 1.0 always”
        </label>
        <input
          id="mark-reason"
          autoFocus
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
          className="h-6.5 rounded-md border border-line-2 bg-surface px-2 text-sm"
        />
        {found.length > 0 ? <p className="text-xs text-ink-3">Found: {found.at(-1)}</p> : null}
      </form>
      {mark.error ? (
        <div className="mt-2">
          <Note tone="bad" role="alert">
            {mark.error.message}
          </Note>
        </div>
      ) : null}
    </Dialog>
  );
}
