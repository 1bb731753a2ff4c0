'use client';
import { useState } from 'react';
import { checkpointName, MAX_COMPARED, type ComparableRun } from '@/contract/compare';
import { useComparable } from '@/components/data/compare-queries';
import { Fetched } from '@/components/data/fetched';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { TextInput } from '@/components/ui/field';
import { EmptyState } from '@/components/ui/state-panel';
import { Tag } from '@/components/ui/tag';

/** Adds and removes checkpoints of any run, imports included. */
export function CheckpointPicker({
  open,
  onOpenChange,
  names,
  onNames,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  names: readonly string[];
  onNames: (names: string[]) => void;
}) {
  const [text, setText] = useState('');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Checkpoints to compare"
      description={`Evaluated checkpoints, newest run first. ${names.length} of at most ${MAX_COMPARED} chosen.`}
    >
      <TextInput
        type="search"
        autoFocus
        aria-label="Find a run by name or id"
        placeholder="Find a run by name or id"
        value={text}
        onValue={setText}
        className="my-2"
      />
      {open && <Runs text={text} names={names} onNames={onNames} />}
    </Dialog>
  );
}

function Runs({
  text,
  names,
  onNames,
}: {
  text: string;
  names: readonly string[];
  onNames: (names: string[]) => void;
}) {
  const query = useComparable(text);
  return (
    <Fetched query={query} what="the evaluated checkpoints" height={240}>
      {(runs) =>
        runs.length === 0 ? (
          <EmptyState title={text === '' ? 'No checkpoint is evaluated yet.' : 'No run matches.'}>
            Checkpoints appear here with their first evaluation, and with the import of one.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {runs.map((run) => (
              <RunSteps key={run.runId} run={run} names={names} onNames={onNames} />
            ))}
          </ul>
        )
      }
    </Fetched>
  );
}

function RunSteps({
  run,
  names,
  onNames,
}: {
  run: ComparableRun;
  names: readonly string[];
  onNames: (names: string[]) => void;
}) {
  return (
    <li className="py-1.5">
      <p className="flex items-baseline gap-1.5">
        <span className="font-medium">{run.runName}</span>
        <span className="text-xs text-ink-3">{run.runId}</span>
        {run.kind !== 'training' && <Tag>{run.kind}</Tag>}
      </p>
      <div role="group" aria-label={`Steps of ${run.runName}`} className="mt-1 flex flex-wrap gap-1">
        {run.steps.map(({ step, splits }) => {
          const name = checkpointName({ runId: run.runId, step });
          const chosen = names.includes(name);
          return (
            <button
              key={step}
              type="button"
              aria-pressed={chosen}
              title={splits.join(', ')}
              disabled={!chosen && names.length >= MAX_COMPARED}
              onClick={() => onNames(chosen ? names.filter((other) => other !== name) : [...names, name])}
              className={classNames(
                'h-5.5 rounded-md border px-1.75 text-xs disabled:text-ink-3',
                chosen ? 'border-ink bg-selected font-medium' : 'border-line-2 bg-surface hover:bg-hover',
              )}
            >
              step {step}
              <span className="text-ink-3">
                {' '}
                {splits.length === 1 ? splits[0] : `${splits.length} splits`}
              </span>
            </button>
          );
        })}
      </div>
    </li>
  );
}
