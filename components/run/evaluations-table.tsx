import { Link } from '@/components/ui/link';
import type { EvaluationRow } from '@/contract/api';
import { evaluationMetric, POLICY_TITLES, type EvaluationResult } from '@/contract/evaluation';
import { formatCount, formatDecimals, formatPercent, formatReward, MISSING } from '@/contract/format';
import { useUrlState } from '@/components/data/url-state';
import { ExportMenu } from '@/components/export/export-menu';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { exportEvaluations } from './evaluations-export';

/** Every evaluation of the run with the settings that make its figure readable; the one that the URL names is marked. */
export function EvaluationsTable({ runId, rows }: { runId: string; rows: readonly EvaluationRow[] }) {
  const selected = useUrlState().params.get('evaluation');
  if (rows.length === 0)
    return (
      <Panel>
        <EmptyState title="No evaluations yet.">The first one comes before the first step.</EmptyState>
      </Panel>
    );
  const ordered = [...rows].sort(
    (a, b) => b.evaluation.step - a.evaluation.step || a.evaluation.split.localeCompare(b.evaluation.split),
  );
  return (
    <Panel>
      <PanelHead title="Evaluations" caption="every one, with its settings">
        <ExportMenu table={() => exportEvaluations(runId, ordered)} />
      </PanelHead>
      <Table>
        <thead>
          <tr>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>Policy</HeadCell>
            <HeadCell>Split</HeadCell>
            <HeadCell>Decoding</HeadCell>
            <HeadCell numeric>Success, k/n, %, 95% Wilson</HeadCell>
            <HeadCell numeric>Invalid, % of turns</HeadCell>
            <HeadCell numeric>Turns</HeadCell>
            <HeadCell numeric>Reward</HeadCell>
            <HeadCell numeric>Errors</HeadCell>
            <HeadCell numeric title="Ended by the turn limit or the context limit; counted as failures">
              Cut off
            </HeadCell>
            <HeadCell numeric>Time, s</HeadCell>
            <HeadCell>Settings</HeadCell>
          </tr>
        </thead>
        <tbody>
          {ordered.map((row) => (
            <EvaluationCells
              key={row.id}
              runId={runId}
              row={row}
              selected={row.current && row.key === selected}
            />
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function EvaluationCells({ runId, row, selected }: { runId: string; row: EvaluationRow; selected: boolean }) {
  const { evaluation } = row;
  const { step, policy, split, decoding, successes, n, turns } = evaluation;
  const own = policy === 'checkpoint';
  const search = new URLSearchParams({ step: String(step), phase: 'eval', split, decoding });
  return (
    <Row selected={selected || undefined} className={row.current ? undefined : 'text-ink-3'}>
      <Cell numeric>
        {own ? (
          <Link
            href={`/runs/${encodeURIComponent(runId)}/trajectories?${search.toString()}`}
            className="text-link"
          >
            {step}
          </Link>
        ) : (
          step
        )}
      </Cell>
      <Cell>
        {POLICY_TITLES[policy]}
        {!row.current && ` · attempt ${row.attempt}, overwritten`}
      </Cell>
      <Cell>{split}</Cell>
      <Cell>{decoding}</Cell>
      <Cell numeric>
        <Rate successes={successes} n={n} />
      </Cell>
      <Cell numeric>{formatPercent(evaluationMetric(evaluation, 'invalid_action_rate'))}</Cell>
      <Cell numeric>{formatDecimals(turns === null || n === 0 ? null : turns / n, 2)}</Cell>
      <Cell numeric>{formatReward(evaluation.rewardMean)}</Cell>
      <Cell numeric>{formatCount(evaluation.errors)}</Cell>
      <Cell numeric>{formatCount(evaluation.truncated)}</Cell>
      <Cell numeric>{formatDecimals(evaluation.seconds, 1)}</Cell>
      <Cell className="text-xs text-ink-3">
        <span title={settingsInFull(evaluation)}>
          t {evaluation.temperature ?? MISSING}, ≤ {evaluation.maxTurns ?? MISSING} turns, seed{' '}
          {evaluation.seed ?? MISSING}, list {evaluation.splitHash.slice(0, 8) || MISSING}
        </span>
      </Cell>
    </Row>
  );
}

function settingsInFull(evaluation: EvaluationResult): string {
  return [
    `${evaluation.environment} ${evaluation.environmentVersion}`,
    `options ${JSON.stringify(evaluation.environmentOptions)}`,
    `scaffold ${evaluation.scaffold}`,
    `temperature ${evaluation.temperature ?? MISSING}`,
    `top-k ${evaluation.topK === 0 ? 'off' : (evaluation.topK ?? MISSING)}`,
    `top-p ${evaluation.topP === 1 ? 'off' : (evaluation.topP ?? MISSING)}`,
    `list ${evaluation.splitHash || MISSING}`,
  ].join('; ');
}
