import type { RefObject } from 'react';
import { RUN_KINDS, RUN_STATUSES, type RunStatus } from '@/contract/run';
import type { RunsQuery, RunsSummary } from '@/contract/run-list';
import type { UrlChanges } from '@/components/data/url-state';
import { classNames } from '@/components/ui/class-names';
import { Select, TextInput } from '@/components/ui/field';
import { RunStatusWord } from './run-status';

/** Every filter of the list of runs; each changes its own parameter of the URL. */
export function RunsFilterBar({
  query,
  summary,
  text,
  searchBox,
  onChange,
}: {
  query: RunsQuery;
  summary: RunsSummary;
  /** As it stands in the URL, ahead of the query while it is being typed. */
  text: string;
  searchBox: RefObject<HTMLInputElement | null>;
  onChange: (changes: UrlChanges) => void;
}) {
  const choice = (name: 'kind' | 'recipe' | 'environment', values: readonly string[]) => (
    <Select
      aria-label={`Filter by ${name}`}
      value={query[name] ?? ''}
      options={[
        { value: '', title: `all ${name}s` },
        ...[...new Set([...values, ...(query[name] === undefined ? [] : [query[name]])])].map((value) => ({
          value,
          title: value,
        })),
      ]}
      onValue={(value) => onChange({ [name]: value })}
      className="max-w-44"
    />
  );
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2" role="search" aria-label="Filters">
      <TextInput
        ref={searchBox}
        type="search"
        maxLength={200}
        aria-label="Filter by name, id, kind, recipe, preset, environment, seed or worker"
        placeholder="Filter by name, id, recipe, seed, worker, …"
        value={text}
        onValue={(value) => onChange({ text: value })}
        className="max-w-80"
      />
      {choice('kind', RUN_KINDS)}
      {choice('recipe', summary.recipes)}
      {choice('environment', summary.environments)}
      <StatusFilter
        counts={summary.statuses}
        chosen={query.status ?? []}
        onChosen={(statuses) => onChange({ status: statuses.join(',') })}
      />
    </div>
  );
}

function StatusFilter({
  counts,
  chosen,
  onChosen,
}: {
  counts: RunsSummary['statuses'];
  chosen: readonly RunStatus[];
  onChosen: (statuses: RunStatus[]) => void;
}) {
  const offered = RUN_STATUSES.filter((status) => counts[status] !== undefined || chosen.includes(status));
  return (
    <div role="group" aria-label="Filter by status" className="flex flex-wrap gap-1">
      {offered.map((status) => {
        const pressed = chosen.includes(status);
        return (
          <button
            key={status}
            type="button"
            aria-pressed={pressed}
            onClick={() =>
              onChosen(pressed ? chosen.filter((other) => other !== status) : [...chosen, status])
            }
            className={classNames(
              'flex h-6.5 items-center gap-1.5 rounded-md border px-2 text-sm',
              pressed ? 'border-ink bg-selected' : 'border-line bg-surface hover:bg-hover',
            )}
          >
            <RunStatusWord status={status} />
            <span className="text-ink-3">{counts[status] ?? 0}</span>
          </button>
        );
      })}
    </div>
  );
}
