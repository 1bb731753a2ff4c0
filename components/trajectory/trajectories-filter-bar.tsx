import type { TrajectoriesPage, TrajectoriesQuery } from '@/contract/api';
import { SPLITS, TRAJECTORY_PHASES } from '@/contract/trajectory';
import type { UrlChanges } from '@/components/data/url-state';
import type { FilterName } from './trajectories-filter';

interface FilterBarProps {
  query: TrajectoriesQuery;
  /** What can be chosen; undefined while the first page is awaited. */
  page: TrajectoriesPage | undefined;
  onChange: (changes: UrlChanges) => void;
}

const ORDERS: { value: TrajectoriesQuery['order']; title: string }[] = [
  { value: 'newest', title: 'newest first' },
  { value: 'reward', title: 'highest reward' },
  { value: 'turns', title: 'most turns' },
  { value: 'invalid_actions', title: 'most invalid actions' },
];

export function TrajectoriesFilterBar({ query, page, onChange }: FilterBarProps) {
  const filters: { name: FilterName; title: string; values: readonly { value: string; title: string }[] }[] =
    [
      { name: 'step', title: 'Step', values: plain((page?.steps ?? []).map(String)) },
      { name: 'phase', title: 'Phase', values: plain(TRAJECTORY_PHASES) },
      { name: 'split', title: 'Split', values: plain(SPLITS) },
      { name: 'taskType', title: 'Task type', values: plain(page?.taskTypes ?? []) },
      { name: 'decoding', title: 'Decoding', values: plain(['greedy', 'sampled']) },
      {
        name: 'success',
        title: 'Outcome',
        values: [
          { value: 'true', title: 'success' },
          { value: 'false', title: 'failed' },
        ],
      },
    ];
  return (
    <div className="flex flex-wrap items-center gap-2" role="search" aria-label="Filters">
      {filters.map(({ name, title, values }) => (
        <Choice
          key={name}
          title={title}
          value={String(query[name] ?? '')}
          options={[{ value: '', title: 'all' }, ...values]}
          onValue={(value) => onChange({ [name]: value, offset: null, row: null })}
        />
      ))}
      <Choice
        title="Order"
        value={query.order}
        options={ORDERS}
        onValue={(value) => onChange({ sort: value === 'newest' ? null : value, offset: null, row: null })}
      />
    </div>
  );
}

function plain(values: readonly string[]) {
  return values.map((value) => ({ value, title: value }));
}

function Choice({
  title,
  value,
  options,
  onValue,
}: {
  title: string;
  value: string;
  options: readonly { value: string; title: string }[];
  onValue: (value: string) => void;
}) {
  const known = options.some((option) => option.value === value);
  return (
    <label className="flex items-center gap-1.5 text-sm text-ink-3">
      {title}
      <select
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className="h-6.5 rounded-md border border-line-2 bg-surface px-1.5 text-sm text-ink"
      >
        {known ? null : <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
