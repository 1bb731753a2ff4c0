import { useId, type ReactNode, type RefObject } from 'react';
import {
  TRAJECTORY_ORDERS,
  type TrajectoriesQuery,
  type TrajectoryFilterValues,
  type TrajectoryOrder,
} from '@/contract/trajectory-list';
import { FAILURE_MODES, FAILURE_MODE_WORDS } from '@/contract/failure-cluster';
import { MAX_SEARCH_LENGTH } from '@/contract/text-search';
import { SPLITS, STOP_REASONS, TRAJECTORY_PHASES } from '@/contract/trajectory';
import type { UrlChanges } from '@/components/data/url-state';
import { TextInput } from '@/components/ui/field';
import type { FilterName } from './trajectories-filter';

interface FilterBarProps {
  query: TrajectoriesQuery;
  /** What can be chosen; undefined while it is awaited. */
  values: TrajectoryFilterValues | undefined;
  searchBox: RefObject<HTMLInputElement | null>;
  /** The filter's own texts, as they stand in the URL. */
  read: (name: FilterName) => string;
  onChange: (changes: UrlChanges) => void;
}

const ORDER_TITLES: Record<TrajectoryOrder, string> = {
  newest: 'newest first',
  reward: 'highest reward',
  turns: 'most turns',
  invalid_actions: 'most invalid actions',
  tokens: 'most reply tokens',
};

/** Every filter of a list of trajectories; each changes its own parameter of the URL. */
export function TrajectoriesFilterBar({ query, values, searchBox, read, onChange }: FilterBarProps) {
  const change = (changes: UrlChanges) => onChange({ ...changes, row: null });
  const choice = (name: FilterName, title: string, options: readonly Option[]) => (
    <Choice
      title={title}
      value={String(query[name] ?? '')}
      options={[{ value: '', title: 'all' }, ...options]}
      onValue={(value) => change({ [name]: value })}
    />
  );
  const range = (title: string, from: FilterName, to: FilterName) => (
    <Range
      title={title}
      from={read(from)}
      to={read(to)}
      onFrom={(value) => change({ [from]: value })}
      onTo={(value) => change({ [to]: value })}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2" role="search" aria-label="Filters">
      <TextInput
        ref={searchBox}
        type="search"
        maxLength={MAX_SEARCH_LENGTH}
        aria-label="Words within one turn"
        title='All words within one turn; "red ball" for words in a row, refrig* for beginnings'
        placeholder="Words within one turn"
        value={read('text')}
        onValue={(text) => change({ text })}
        className="max-w-64"
      />
      {values?.steps.length === 0 ? null : choice('step', 'Step', plain((values?.steps ?? []).map(String)))}
      {choice('phase', 'Phase', plain(TRAJECTORY_PHASES))}
      {choice('split', 'Split', plain(SPLITS))}
      {choice('taskType', 'Task type', plain(values?.taskTypes ?? []))}
      {choice('success', 'Outcome', [
        { value: 'true', title: 'success' },
        { value: 'false', title: 'failed' },
        { value: 'not_stated', title: 'not stated' },
      ])}
      {choice(
        'stopReason',
        'Ended by',
        STOP_REASONS.map((reason) => ({ value: reason, title: reason.replace('_', ' ') })),
      )}
      {choice(
        'failureMode',
        'Went wrong by',
        FAILURE_MODES.map((mode) => ({ value: mode, title: FAILURE_MODE_WORDS[mode] })),
      )}
      {query.firstBadTurn === undefined
        ? null
        : choice('firstBadTurn', 'First bad turn', [
            { value: String(query.firstBadTurn), title: String(query.firstBadTurn + 1) },
          ])}
      {choice('decoding', 'Decoding', plain(['greedy', 'sampled']))}
      {choice('flag', 'Flag', plain(values?.flags ?? []))}
      {range('Turns', 'minTurns', 'maxTurns')}
      {range('Reply tokens', 'minTokens', 'maxTokens')}
      {range('Reward', 'minReward', 'maxReward')}
      <Choice
        title="Order"
        value={query.order}
        options={TRAJECTORY_ORDERS.map((order) => ({ value: order, title: ORDER_TITLES[order] }))}
        onValue={(value) => change({ sort: value === 'newest' ? null : value })}
      />
    </div>
  );
}

interface Option {
  value: string;
  title: string;
}

function plain(values: readonly string[]): Option[] {
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
  options: readonly Option[];
  onValue: (value: string) => void;
}) {
  const known = options.some((option) => option.value === value);
  return (
    <label className="flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-3">
      {title}
      <select
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className="h-6.5 max-w-40 rounded-md border border-line-2 bg-surface px-1.5 text-sm text-ink"
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

/** Least and most of a figure; an empty box bounds nothing. */
function Range({
  title,
  from,
  to,
  onFrom,
  onTo,
}: {
  title: string;
  from: string;
  to: string;
  onFrom: (value: string) => void;
  onTo: (value: string) => void;
}) {
  const id = useId();
  const box = (label: string, value: string, onValue: (value: string) => void): ReactNode => (
    <span className="w-16">
      <TextInput
        inputMode="decimal"
        aria-label={`${title}, ${label}`}
        placeholder={label}
        value={value}
        onValue={onValue}
      />
    </span>
  );
  return (
    <div role="group" aria-labelledby={id} className="flex items-center gap-1.5 text-sm text-ink-3">
      <span id={id} className="whitespace-nowrap">
        {title}
      </span>
      {box('least', from, onFrom)}
      {box('most', to, onTo)}
    </div>
  );
}
