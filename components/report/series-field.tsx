'use client';
import { useId } from 'react';
import { useSeriesNames } from '@/components/data/run-queries';
import { Field, TextInput } from '@/components/ui/field';

/** The name of a series, with those of a run to choose from. */
export function SeriesField({
  runId,
  series,
  onSeries,
}: {
  runId: string | null;
  series: string;
  onSeries: (series: string) => void;
}) {
  const listId = useId();
  return (
    <Field label="Series" description="A name such as reward/mean">
      {(control) => (
        <>
          <TextInput {...control} value={series} onValue={onSeries} list={listId} />
          <datalist id={listId}>{runId !== null && <SeriesOptions runId={runId} />}</datalist>
        </>
      )}
    </Field>
  );
}

function SeriesOptions({ runId }: { runId: string }) {
  const names = useSeriesNames(runId);
  return names.data?.map(({ name }) => <option key={name} value={name} />);
}
