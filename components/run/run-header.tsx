'use client';
import { useState } from 'react';
import { Copy, Package, Play, Square } from 'lucide-react';
import type { RunDetail } from '@/contract/api';
import { needsCheckpointToContinue, recipeOf, REQUESTED_PRESET } from '@/contract/recipes/requested';
import { canStop } from '@/contract/run';
import { isContinuable, newestCheckpoint } from '@/contract/run-view';
import { apiUrl } from '@/components/data/api-client';
import { Button, ButtonLink } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { Note } from '@/components/ui/panel';
import { PageHead } from '@/components/ui/page-head';
import { Tag } from '@/components/ui/tag';
import { ContinueDialog } from './continue-dialog';
import { RunStatusWord, STATUS_LOOKS } from './run-status';
import { StopDialog } from './stop-dialog';

/** Name, status, seed and id of a run, and what can be done to it. */
export function RunHeader({ detail }: { detail: RunDetail }) {
  const { run, view } = detail;
  const [stopping, setStopping] = useState(false);
  const [continuing, setContinuing] = useState(false);
  const stoppable = canStop(view.status);
  const continuable =
    isContinuable(view) && (!needsCheckpointToContinue(run.recipe) || newestCheckpoint(view) !== null);
  useKeys([
    {
      keys: ['S'],
      label: 'stop the run',
      run: () => {
        if (stoppable) setStopping(true);
      },
    },
  ]);
  return (
    <>
      <title>{`${run.name} · Stepscope`}</title>
      <PageHead
        crumbs={
          <Crumbs
            trail={[RUNS_CRUMB, { title: recipeOf(run.recipe)?.title ?? run.recipe }, { title: run.preset }]}
          />
        }
        title={run.name}
        actions={
          <>
            {stoppable && (
              <Button variant="danger" onClick={() => setStopping(true)}>
                <Icon of={Square} size="small" /> Stop… <Kbd>⇧ S</Kbd>
              </Button>
            )}
            {continuable && (
              <Button variant="primary" onClick={() => setContinuing(true)}>
                <Icon of={Play} size="small" /> Continue…
              </Button>
            )}
            <ButtonLink
              href={apiUrl(`/runs/${encodeURIComponent(run.id)}/bundle`)}
              prefetch={false}
              download
              title="Config, code, tasks, seeds, checkpoints and metrics, with the command that runs it again"
            >
              <Icon of={Package} size="small" /> Repro bundle
            </ButtonLink>
            {run.preset !== REQUESTED_PRESET && run.kind !== 'import' && (
              <ButtonLink href={`/launch?from=${encodeURIComponent(run.id)}`}>
                <Icon of={Copy} size="small" /> Clone
              </ButtonLink>
            )}
          </>
        }
      >
        <RunStatusWord status={view.status} reason={view.reason} />
        {run.seed !== null && <Tag>seed {run.seed}</Tag>}
        <Tag>{run.id}</Tag>
      </PageHead>
      {view.reason && (
        <div className="mb-2.5">
          <Note tone={STATUS_LOOKS[view.status].tone}>
            <span className="min-w-0 break-words whitespace-pre-wrap">
              {view.status === 'queued' ? view.reason : `${view.status}: ${view.reason}`}
            </span>
          </Note>
        </div>
      )}
      <StopDialog detail={detail} open={stopping} onOpenChange={setStopping} />
      {continuing && <ContinueDialog detail={detail} open onOpenChange={setContinuing} />}
    </>
  );
}
