'use client';
import { ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';

/** A run whose probe has no task yet: what a probe is, and where else to look. */
export function NoProbe({ runId, title }: { runId: string; title: string }) {
  const run = `/runs/${encodeURIComponent(runId)}`;
  return (
    <Panel>
      <EmptyState
        title={title}
        actions={
          <>
            <ButtonLink href={run}>The run</ButtonLink>
            <ButtonLink href={`${run}/trajectories`}>Its trajectories</ButtonLink>
          </>
        }
      >
        <p>
          A probe plays a fixed set of tasks greedily and by samples at step 0 and at every evaluation. Its
          tasks appear here as soon as the first one is stored. Where probe.tasks is 0, none will; any two
          trajectories of one task can still be laid side by side.
        </p>
      </EmptyState>
    </Panel>
  );
}
