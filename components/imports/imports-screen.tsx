'use client';
import type { ImportRow } from '@/contract/imports';
import { Fetched } from '@/components/data/fetched';
import { useImports } from '@/components/data/import-queries';
import { useNow } from '@/components/data/now';
import { useUrlState } from '@/components/data/url-state';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import { EmptyState } from '@/components/ui/state-panel';
import { ImportsTable } from './imports-table';
import { UploadFile } from './upload-file';

const SHOWN = [
  { value: 'all', title: 'All' },
  { value: 'left-out', title: 'With parts left out' },
  { value: 'refused', title: 'Refused' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

/** What was read from logs of other tools, what of it was left out, and what was refused. */
export function ImportsScreen() {
  const query = useImports();
  return (
    <>
      <PageHead title="Imports" actions={<UploadFile />} />
      <Fetched query={query} what="the imports" height={240}>
        {(imports) => (imports.length === 0 ? <NoImports /> : <Imports imports={imports} />)}
      </Fetched>
    </>
  );
}

function Imports({ imports }: { imports: readonly ImportRow[] }) {
  const now = useNow();
  const { params, set } = useUrlState();
  const shown: Shown = SHOWN.find(({ value }) => value === params.get('show'))?.value ?? 'all';
  const matching = imports.filter((row) => isShown(row, shown));
  const show = (next: Shown) => set({ show: next === 'all' ? null : next });
  const next = SHOWN[(SHOWN.findIndex(({ value }) => value === shown) + 1) % SHOWN.length]?.value ?? 'all';
  useKeys([{ keys: ['f'], label: 'next filter', hint: true, run: () => show(next) }]);
  return (
    <>
      <div className="mb-2.5 flex items-center gap-2.5">
        <Segmented label="Imports shown" value={shown} options={SHOWN} onChange={show} />
        <span className="text-sm text-ink-3">
          {matching.length} of {imports.length}
        </span>
      </div>
      <Panel>
        {matching.length === 0 ? (
          <EmptyState title="No import matches.">
            None of {imports.length} is {shown === 'refused' ? 'refused' : 'without some part of it'}.
          </EmptyState>
        ) : (
          <ImportsTable imports={matching} now={now} />
        )}
      </Panel>
    </>
  );
}

function isShown({ state, skippedCount }: ImportRow, shown: Shown): boolean {
  return shown === 'all' || (shown === 'refused' ? state === 'refused' : skippedCount > 0);
}

function NoImports() {
  return (
    <Panel>
      <EmptyState title="Nothing was imported yet.">
        <code className="font-mono text-mono">npm run import -- PATH...</code> reads logs of verl, AgentGym,
        Inspect and lm-evaluation-harness, and what <code className="font-mono text-mono">npm run train</code>{' '}
        wrote. Each becomes a run.
      </EmptyState>
    </Panel>
  );
}
