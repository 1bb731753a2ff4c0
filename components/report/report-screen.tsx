'use client';
import { Pencil, Printer } from 'lucide-react';
import type { Report } from '@/contract/report';
import { Fetched } from '@/components/data/fetched';
import { useReport } from '@/components/data/report-queries';
import { useUrlState } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { Crumbs } from '@/components/ui/crumbs';
import { Field, TextInput } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { EmptyState } from '@/components/ui/state-panel';
import { Panel } from '@/components/ui/panel';
import { BlockView } from './block-view';
import { DeleteReport } from './delete-report';
import { ReportEditor } from './report-editor';
import { SaveNote, SaveWords } from './save-state';
import { useReportDraft, type OpenDraft } from './use-report-draft';

const CRUMBS = <Crumbs trail={[{ title: 'Reports', href: '/reports' }]} />;

/** A report at its address; with `?edit=1` its blocks are changed where they stand. */
export function ReportScreen({ reportId }: { reportId: string }) {
  const query = useReport(reportId);
  return (
    <Fetched query={query} what="the report" height={480} head={<PageHead crumbs={CRUMBS} title="Report" />}>
      {(report) => <ReportPage key={report.id} report={report} />}
    </Fetched>
  );
}

function ReportPage({ report }: { report: Report }) {
  const { params, set } = useUrlState();
  const draft = useReportDraft(report);
  const { content, change } = draft;
  const isEdited = params.get('edit') === '1';
  const toggle = () => set({ edit: isEdited ? null : 1 });
  useKeys([
    { keys: ['e'], label: isEdited ? 'read' : 'edit', hint: true, run: toggle },
    { keys: ['Mod+s'], label: 'save now', run: () => void draft.save() },
    { keys: ['Mod+Enter'], label: 'leave editing', run: () => set({ edit: null }) },
  ]);
  return (
    <>
      <title>{`${content.title} · Stepscope`}</title>
      <PageHead
        crumbs={CRUMBS}
        title={content.title || 'Untitled report'}
        actions={
          <div className="flex items-center gap-2 print:hidden">
            <SaveWords state={draft.state} />
            <Button onClick={() => window.print()}>
              <Icon of={Printer} size="small" /> Print
            </Button>
            <Button variant={isEdited ? 'primary' : 'default'} onClick={toggle} aria-pressed={isEdited}>
              <Icon of={Pencil} size="small" /> {isEdited ? 'Done' : 'Edit'} <Kbd inverted={isEdited}>e</Kbd>
            </Button>
          </div>
        }
      />
      <SaveNote draft={draft} />
      {isEdited ? (
        <div key={draft.taken} className="flex flex-col gap-2.5">
          <Field label="Title">
            {(control) => (
              <TextInput
                {...control}
                value={content.title}
                onValue={(title) => change({ ...content, title })}
                maxLength={200}
              />
            )}
          </Field>
          <ReportEditor blocks={content.blocks} onBlocks={(blocks) => change({ ...content, blocks })} />
          <DeleteReport reportId={report.id} title={content.title} onDeleted={draft.drop} />
        </div>
      ) : (
        <Blocks draft={draft} onEdit={toggle} />
      )}
    </>
  );
}

function Blocks({ draft, onEdit }: { draft: OpenDraft; onEdit: () => void }) {
  const { blocks } = draft.content;
  if (blocks.length === 0)
    return (
      <Panel>
        <EmptyState title="Nothing written yet." actions={<Button onClick={onEdit}>Edit</Button>}>
          Add a text, a table of evaluations, a chart, a comparison or a pair.
        </EmptyState>
      </Panel>
    );
  return (
    <div className="flex flex-col gap-4">
      {blocks.map((block) => (
        <div key={block.id} className="break-inside-avoid">
          <BlockView block={block} />
        </div>
      ))}
    </div>
  );
}
