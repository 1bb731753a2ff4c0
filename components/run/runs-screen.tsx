'use client';
import { Plus } from 'lucide-react';
import { formatCount } from '@/contract/format';
import type { RunsSummary } from '@/contract/run-list';
import { Fetched } from '@/components/data/fetched';
import { useRunsSummary } from '@/components/data/run-list-queries';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { RunsList } from './runs-list';

/** The list of runs; filters, order and the selected row are in the URL. */
export function RunsScreen() {
  const all = useRunsSummary({});
  return (
    <>
      <PageHead
        title="Runs"
        actions={
          <ButtonLink href="/launch" variant="primary">
            <Icon of={Plus} /> Launch run <Kbd inverted>n</Kbd>
          </ButtonLink>
        }
      >
        {all.data && <span className="text-sm text-ink-2">{summaryWords(all.data)}</span>}
      </PageHead>
      <Fetched query={all} what="the runs" height={320}>
        {(summary) => (summary.total === 0 ? <FirstVisit /> : <RunsList all={summary} />)}
      </Fetched>
    </>
  );
}

function summaryWords({ total, statuses }: RunsSummary): string {
  const named = (['running', 'queued', 'lost', 'failed'] as const).flatMap((status) => {
    const count = statuses[status];
    return count ? [`${formatCount(count)} ${status}`] : [];
  });
  return [`${formatCount(total)} ${total === 1 ? 'run' : 'runs'}`, ...named].join(' · ');
}

function FirstVisit() {
  return (
    <Panel>
      <EmptyState
        title="No runs yet."
        actions={
          <ButtonLink href="/launch?recipe=grpo&preset=demo" variant="primary">
            Launch the demo run
          </ButtonLink>
        }
      >
        Runs appear here as soon as one is launched, and their figures follow them live. Launch one from the
        form, or run <code className="font-mono text-mono">npm run demo</code> in the repository, which
        launches the demo run and prints its progress.
      </EmptyState>
    </Panel>
  );
}
