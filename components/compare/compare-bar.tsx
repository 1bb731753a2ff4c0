import { Plus, X } from 'lucide-react';
import { MAX_COMPARED, parseCheckpointName, type ComparedCheckpoint } from '@/contract/compare';
import { Button, IconButton } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import type { UrlChanges } from '@/components/data/url-state';
import type { CompareState } from './compare-state';
import { rowColor } from './compare-matrix';
import type { CompareTable } from './compare-table';
import { settingsChoices } from './settings-choice';

/** The checkpoints chosen, and how they are counted; all of it is in the address. */
export function CompareBar({
  state,
  checkpoints,
  table,
  onNames,
  onAdd,
  set,
}: {
  state: CompareState;
  /** With all of their evaluations; null while they are read. */
  checkpoints: readonly ComparedCheckpoint[] | null;
  table: CompareTable | null;
  onNames: (names: string[]) => void;
  onAdd: () => void;
  set: (changes: UrlChanges) => void;
}) {
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-1.5 text-sm">
      {state.names.map((name) => (
        <Chip
          key={name}
          name={name}
          table={table}
          isBaseline={name === state.baseline}
          onRemove={() => onNames(state.names.filter((other) => other !== name))}
        />
      ))}
      <Button variant="quiet" onClick={onAdd} disabled={state.names.length >= MAX_COMPARED}>
        <Icon of={Plus} size="small" /> Add checkpoint <Kbd>a</Kbd>
      </Button>
      <div className="ml-auto flex flex-wrap items-center gap-1.5">
        {checkpoints && <SettingsSelect state={state} checkpoints={checkpoints} set={set} />}
        {/* Settings that are chosen say how tokens are drawn. */}
        {state.settings === null && (
          <Choice
            label="Decoding"
            value={state.decoding}
            options={[
              { value: 'sampled', title: 'sampled first' },
              { value: 'greedy', title: 'greedy first' },
            ]}
            onValue={(value) => set({ decoding: value === 'greedy' ? 'greedy' : null })}
          />
        )}
        <Choice
          label="Interval"
          value={state.interval}
          options={[
            { value: 'wilson', title: 'Wilson 95%' },
            { value: 'clopper_pearson', title: 'Clopper-Pearson 95%' },
          ]}
          onValue={(value) => set({ interval: value === 'wilson' ? null : 'clopper-pearson' })}
        />
        <Choice
          label="Errored"
          value={state.countsErrors ? 'fail' : 'out'}
          options={[
            { value: 'fail', title: 'count as failures' },
            { value: 'out', title: 'are left out' },
          ]}
          onValue={(value) => set({ errors: value === 'out' ? 'out' : null })}
        />
      </div>
    </div>
  );
}

/** Offered where the checkpoints were evaluated under several settings; names those of the address that none has. */
function SettingsSelect({
  state: { settings },
  checkpoints,
  set,
}: {
  state: CompareState;
  checkpoints: readonly ComparedCheckpoint[];
  set: (changes: UrlChanges) => void;
}) {
  const choices = settingsChoices(checkpoints);
  const isKnown = settings === null || choices.some(({ key }) => key === settings);
  if (choices.length < 2 && isKnown) return null;
  return (
    <Choice
      label="Settings"
      value={settings ?? ''}
      options={[
        { value: '', title: 'shared by most' },
        ...choices.map(({ key, words }) => ({ value: key, title: words })),
        ...(isKnown ? [] : [{ value: settings, title: 'those of the address: none was evaluated so' }]),
      ]}
      onValue={(value) => set({ settings: value === '' ? null : value })}
    />
  );
}

function Chip({
  name,
  table,
  isBaseline,
  onRemove,
}: {
  name: string;
  table: CompareTable | null;
  isBaseline: boolean;
  onRemove: () => void;
}) {
  const row = table?.rows.find((each) => each.name === name);
  const reference = parseCheckpointName(name);
  const title = row?.title ?? (reference ? `${reference.runId}, step ${reference.step}` : name);
  return (
    <span className="flex h-6.5 items-center gap-1.5 rounded-md border border-line-2 bg-surface pl-2">
      <span
        aria-hidden="true"
        className="size-2.25 rounded-full"
        style={{ background: table && row ? rowColor(table, row) : 'var(--c0)' }}
      />
      {title}
      {isBaseline && <span className="text-ink-3">baseline</span>}
      <IconButton label={`Remove ${title}`} onClick={onRemove} className="size-6!">
        <Icon of={X} size="small" />
      </IconButton>
    </span>
  );
}

function Choice({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: string;
  options: readonly { value: string; title: string }[];
  onValue: (value: string) => void;
}) {
  return (
    <label className="flex items-center gap-1.5 text-ink-3">
      {label}
      <Select value={value} options={options} onValue={onValue} className="w-auto! max-w-72 text-ink" />
    </label>
  );
}
