'use client';
import { Fetched } from '@/components/data/fetched';
import { useRun } from '@/components/data/run-queries';
import { countParam, useUrlState } from '@/components/data/url-state';
import { Button, ButtonLink } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { Note, Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { FormulaForm } from './formula-form';
import { RescoredList } from './rescored-list';
import { readFormula, useRescored } from './rewards-query';
import { RewardsTable } from './rewards-table';

/**
 * What a run's stored training trajectories would have earned under another formula, without training anew. URL: the
 * formula's fields, and `step` for the trajectories of one.
 */
export function RewardsScreen({ runId }: { runId: string }) {
  const { params, set } = useUrlState();
  const run = useRun(runId);
  const { stated, ignored } = readFormula(params);
  const step = countParam(params, 'step');
  const query = useRescored(runId, stated, step);
  const runPath = `/runs/${encodeURIComponent(runId)}`;
  const head = (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            { title: run.data?.run.name ?? runId, href: runPath },
            { title: 'Trajectories', href: `${runPath}/trajectories` },
          ]}
        />
      }
      title={
        step === null ? 'Rewards under another formula' : `Rewards of step ${step} under another formula`
      }
      actions={
        step === null ? undefined : <Button onClick={() => set({ step: null }, 'push')}>All steps</Button>
      }
    />
  );
  return (
    <Fetched query={query} what="the rewards" height={480} head={head}>
      {(rewards) => (
        <>
          {head}
          <div className="flex flex-col gap-2.5">
            <FormulaForm stated={stated} rewards={rewards} />
            {ignored.length > 0 && (
              <Note tone="warn">Not part of a formula, and left out: {ignored.join(', ')}.</Note>
            )}
            {query.error && (
              <Note tone="bad" role="alert">
                {query.error.message} Below is what was read before.
              </Note>
            )}
            {rewards.steps.length === 0 ? (
              <Panel>
                <EmptyState
                  title="No training trajectory is stored."
                  actions={<ButtonLink href={`${runPath}/trajectories`}>Trajectories of the run</ButtonLink>}
                >
                  <p>
                    A recipe keeps those of <code>recording.trainGroups</code> groups of each step.
                  </p>
                </EmptyState>
              </Panel>
            ) : (
              <RewardsTable rewards={rewards} onStep={(chosen) => set({ step: chosen }, 'push')} />
            )}
            <p className="max-w-[90ch] text-xs text-ink-3">
              Of stored trajectories alone, the newest attempt at each step. Groups: those with at least two
              scored trajectories; without variance, where all rewards are equal, they teach nothing. The
              environment’s own rewards and won flags are as recorded. Recorded is the reward that the recipe
              learned from; a log that was imported has none.
            </p>
            {step !== null && rewards.trajectories.length > 0 && (
              <RescoredList step={step} trajectories={rewards.trajectories} />
            )}
          </div>
        </>
      )}
    </Fetched>
  );
}
