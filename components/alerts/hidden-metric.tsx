'use client';
import { hiddenWords, type MetricMark } from '@/contract/alert';
import { useMarkMetric } from '@/components/data/alert-queries';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { useSeriesNotes } from './series-notes';

/** In place of a chart whose metric is marked meaningless: the reason, and the ways to see it. */
export function HiddenMetric({ mark }: { mark: MetricMark }) {
  const { runId, setShown } = useSeriesNotes(mark.name);
  return (
    <Panel className="flex flex-col gap-2 p-2.5 text-sm" aria-label={mark.name}>
      <p className="break-words text-ink-3" title={mark.name}>
        {hiddenWords(mark)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setShown(true)}>
          Show
        </Button>
        {runId === null ? null : <UnmarkButton runId={runId} name={mark.name} />}
      </div>
    </Panel>
  );
}

function UnmarkButton({ runId, name }: { runId: string; name: string }) {
  const { unmark } = useMarkMetric(runId);
  return (
    <>
      <Button size="small" variant="quiet" disabled={unmark.isPending} onClick={() => unmark.mutate(name)}>
        Take the mark away
      </Button>
      {unmark.error ? (
        <span role="alert" className="text-bad">
          {unmark.error.message}
        </span>
      ) : null}
    </>
  );
}
