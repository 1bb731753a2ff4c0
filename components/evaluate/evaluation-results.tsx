'use client';
import { Link } from '@/components/ui/link';
import type { RunDetail } from '@/contract/api';
import { formatCount } from '@/contract/format';
import { isFinalStatus } from '@/contract/run';
import type { EvaluationUnitRow, EvaluationUnits } from '@/contract/requested-evaluation';
import { useEvaluationUnits } from '@/components/data/evaluation-queries';
import { Fetched } from '@/components/data/fetched';
import { useUrlState } from '@/components/data/url-state';
import { Meter } from '@/components/ui/meter';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { EvaluationSettingsList } from './evaluation-settings';
import { UnitsTable } from './units-table';

/** What a requested evaluation has come to: each checkpoint on each split, decoding and seed, with the settings. */
export function EvaluationResults({ detail }: { detail: RunDetail }) {
  const { params } = useUrlState();
  const live = !isFinalStatus(detail.view.status);
  const query = useEvaluationUnits(detail.run.id, live);
  return (
    <Fetched query={query} what="the evaluations" height={420}>
      {(answer) => (
        <div className="flex flex-col gap-2.5">
          <Progress answer={answer} live={live} />
          <UnitsTable
            runId={detail.run.id}
            sourceId={answer.source.runId}
            units={answer.units}
            selected={params.get('evaluation')}
          />
          <EvaluationSettingsList config={answer.config} units={answer.units} />
        </div>
      )}
    </Fetched>
  );
}

function Progress({ answer, live }: { answer: EvaluationUnits; live: boolean }) {
  const { units, source } = answer;
  const sum = (of: (unit: EvaluationUnitRow) => number) => units.reduce((total, unit) => total + of(unit), 0);
  const played = sum((unit) => unit.played);
  const all = sum(({ tasks }) => tasks);
  const ended = units.filter(({ result }) => result !== null).length;
  return (
    <Panel>
      <PanelHead
        title="Evaluations"
        caption={`${ended} of ${units.length} ended, ${formatCount(played)} of ${formatCount(all)} trajectories played${live || played === all ? '' : '; the rest is not played'}`}
      >
        <span className="text-sm text-ink-2">
          checkpoints of{' '}
          <Link href={`/runs/${encodeURIComponent(source.runId)}?tab=checkpoints`} className="text-link">
            {source.name ?? source.runId}
          </Link>
          {source.name === null && ', which is not there any more'}
        </span>
      </PanelHead>
      <PanelBody>
        <Meter fraction={played / all} tone={live ? 'info' : 'quiet'} label="Trajectories played" />
        <p className="mt-1.5 text-xs text-ink-3">
          {formatCount(sum(({ errors }) => errors))} ended in an error and{' '}
          {formatCount(sum(({ truncated }) => truncated))} were cut off by the turn or context limit: both
          count as failures.
        </p>
      </PanelBody>
    </Panel>
  );
}
