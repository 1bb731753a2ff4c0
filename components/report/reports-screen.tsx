'use client';
import { useState } from 'react';
import { Link } from '@/components/ui/link';
import { useRouter } from 'next/navigation';
import { Plus } from 'lucide-react';
import type { ReportRow } from '@/contract/report';
import { formatCount } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { useNow } from '@/components/data/now';
import { useCreateReport, useReports } from '@/components/data/report-queries';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Note, Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';
import { UnsavedNote } from './unsaved-note';

/** All reports, and a new one. */
export function ReportsScreen() {
  const query = useReports();
  const router = useRouter();
  const create = useCreateReport();
  const [failure, setFailure] = useState<string | null>(null);
  const begin = () =>
    create.mutate('Untitled report', {
      onSuccess: ({ id }) => router.push(`/reports/${id}?edit=1`),
      onError: (error) => setFailure(error.message),
    });
  useKeys([{ keys: ['n'], label: 'new report', hint: true, run: begin }]);
  const button = (
    <Button variant="primary" onClick={begin} disabled={create.isPending}>
      <Icon of={Plus} size="small" /> New report <Kbd inverted>n</Kbd>
    </Button>
  );
  return (
    <>
      <PageHead title="Reports" actions={button} />
      <UnsavedNote />
      {failure !== null && (
        <div className="mb-2.5">
          <Note tone="bad" role="alert">
            The report was not made: {failure}
          </Note>
        </div>
      )}
      <Fetched query={query} what="the reports" height={240}>
        {(reports) => (
          <Panel>{reports.length === 0 ? <NoReports /> : <ReportsTable reports={reports} />}</Panel>
        )}
      </Fetched>
    </>
  );
}

function ReportsTable({ reports }: { reports: readonly ReportRow[] }) {
  const now = useNow();
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>Report</HeadCell>
          <HeadCell numeric>Blocks</HeadCell>
          <HeadCell>Changed</HeadCell>
        </tr>
      </thead>
      <tbody>
        {reports.map(({ id, title, blocks, updatedAt }) => (
          <Row key={id}>
            <Cell>
              <Link href={`/reports/${id}`} className="text-link">
                {title}
              </Link>
            </Cell>
            <Cell numeric>{formatCount(blocks)}</Cell>
            <Cell>
              <Ago at={updatedAt} now={now} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function NoReports() {
  return (
    <EmptyState title="No report yet.">
      A report is a page of text with live tables, charts, comparisons and pairs, at an address of its own.
      What it cites is kept from being deleted.
    </EmptyState>
  );
}
