'use client';
import { Link } from '@/components/ui/link';
import type { MetricMark } from '@/contract/alert';
import type { EvaluationRow } from '@/contract/api';
import { evaluationSeries } from '@/contract/evaluation';
import type { ReportBlock } from '@/contract/report';
import { Fetched } from '@/components/data/fetched';
import { useEvaluationsOf, useMetricMarksOf } from '@/components/data/report-queries';
import { EvaluationsTable } from '@/components/run/evaluations-table';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { UnfinishedBlock } from './unfinished-block';

type Block = ReportBlock & { kind: 'evaluations' };

/** Evaluations of some runs' checkpoints, a table a run; the filters stand above. */
export function EvaluationsBlock({ block }: { block: Block }) {
  const queries = useEvaluationsOf(block.runs);
  const marks = useMetricMarksOf(block.runs);
  if (block.runs.length === 0)
    return (
      <UnfinishedBlock title="No run chosen.">Name the runs whose evaluations are shown.</UnfinishedBlock>
    );
  return (
    <div className="flex flex-col gap-2.5">
      {block.runs.map((runId, index) => {
        const query = queries[index];
        return (
          <div key={runId} className="flex flex-col gap-1">
            <p className="text-sm text-ink-2">
              Run{' '}
              <Link href={`/runs/${encodeURIComponent(runId)}`} className="text-link">
                {runId}
              </Link>
              : {filterWords(block)}
            </p>
            {query && (
              <Fetched query={query} what={`the evaluations of ${runId}`} height={120}>
                {(rows) => (
                  <RunEvaluations
                    runId={runId}
                    rows={rows.filter((row) => matches(row, block))}
                    marks={marks[index]?.data ?? []}
                  />
                )}
              </Fetched>
            )}
          </div>
        );
      })}
    </div>
  );
}

function RunEvaluations({
  runId,
  rows,
  marks,
}: {
  runId: string;
  rows: readonly EvaluationRow[];
  marks: readonly MetricMark[];
}) {
  const markOf = ({ evaluation }: EvaluationRow) =>
    marks.find(({ name }) => name === evaluationSeries(evaluation, 'success_rate'));
  const shown = rows.filter((row) => markOf(row) === undefined);
  const hidden = [...new Set(rows.flatMap((row) => markOf(row) ?? []))];
  return (
    <>
      {shown.length > 0 && <EvaluationsTable runId={runId} rows={shown} />}
      {hidden.map(({ name, reason }) => (
        <p key={name} className="text-sm text-ink-2">
          {name} is marked meaningless, and its evaluations are left out: {reason}
        </p>
      ))}
      {rows.length === 0 && (
        <Panel>
          <EmptyState title="No evaluation matches.">Run {runId} has none under these filters.</EmptyState>
        </Panel>
      )}
    </>
  );
}

function matches({ current, evaluation }: EvaluationRow, { split, decoding }: Block): boolean {
  return (
    current &&
    evaluation.policy === 'checkpoint' &&
    (split === null || evaluation.split === split) &&
    (decoding === null || evaluation.decoding === decoding)
  );
}

function filterWords({ split, decoding }: Block): string {
  return `evaluations of its checkpoints, ${split ?? 'all splits'}, ${decoding ?? 'both decodings'}`;
}
