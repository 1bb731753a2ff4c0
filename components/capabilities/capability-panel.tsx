'use client';
import type { EvaluationRow } from '@/contract/api';
import type { CapabilityRow } from '@/contract/capability';
import { formatDecimals, formatDifference, formatCount, formatSigned, MISSING } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { useCapabilities } from '@/components/data/import-queries';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';
import { CAPABILITY_MARGIN } from '@/stats/capability-change';
import { baseValue, benchmarkRows, type ScoreRow } from './capability-rows';

const COLUMNS = 10;

/** General capability of a run's checkpoints beside what they score as agents; nothing where none was imported. */
export function CapabilityPanel({
  runId,
  evaluations,
}: {
  runId: string;
  evaluations: readonly EvaluationRow[];
}) {
  const query = useCapabilities(runId);
  return (
    <Fetched query={query} what="the general capability" height={120}>
      {(rows) =>
        rows.length === 0 ? null : <CapabilityTable capabilities={rows} evaluations={evaluations} />
      }
    </Fetched>
  );
}

export function CapabilityTable({
  capabilities,
  evaluations,
}: {
  capabilities: readonly CapabilityRow[];
  evaluations: readonly EvaluationRow[];
}) {
  const margin = `${CAPABILITY_MARGIN * 100} pp`;
  return (
    <Panel aria-label="General capability" className="mt-2.5">
      <PanelHead
        title="General capability"
        caption={`against the base model: 95% Newcombe, unpaired. Lost or gained: the interval lacks 0. Retained: it holds 0 and rules out a loss of ${margin}.`}
      />
      <Table>
        <thead>
          <tr>
            <HeadCell>Model</HeadCell>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell numeric>
              Success as agent,
              <br />
              valid_seen, k/n, 95% Wilson
            </HeadCell>
            <HeadCell>Score</HeadCell>
            <HeadCell numeric>k/n, %, 95% Wilson</HeadCell>
            <HeadCell numeric>Difference, pp</HeadCell>
            <HeadCell>Against the base</HeadCell>
            <HeadCell numeric>Invalid</HeadCell>
            <HeadCell numeric>Tokens, mean</HeadCell>
            <HeadCell numeric>median, p95</HeadCell>
          </tr>
        </thead>
        <tbody>
          {benchmarkRows(capabilities).map(({ benchmark, title, rows }) => [
            <GroupRow key={benchmark} columns={COLUMNS}>
              {title}
            </GroupRow>,
            ...rows.map((row) => (
              <ScoreCells
                key={row.key}
                row={row}
                base={baseValue(rows, row.metric)}
                evaluations={evaluations}
              />
            )),
          ])}
        </tbody>
      </Table>
    </Panel>
  );
}

function ScoreCells({
  row,
  base,
  evaluations,
}: {
  row: ScoreRow;
  base: number | null;
  evaluations: readonly EvaluationRow[];
}) {
  const { result, score, correct, change, isFirst } = row;
  return (
    <Row>
      <Cell>
        {isFirst ? row.model : ''}
        {isFirst && row.isBase && <span className="text-ink-3"> base</span>}
      </Cell>
      <Cell numeric>{isFirst ? row.step : ''}</Cell>
      <Cell numeric>{isFirst && <AgentScore row={row} evaluations={evaluations} />}</Cell>
      <Cell>
        {row.metric}
        {score.isMacro && <span className="text-xs text-ink-3"> mean over subjects</span>}
      </Cell>
      <Cell numeric>
        {correct !== null ? (
          <Rate successes={correct} n={score.n} />
        ) : (
          <>
            <b className="font-semibold">{formatDecimals(score.value * 100, 1)}</b>{' '}
            <span className="text-xs text-ink-3">{score.isMacro ? 'no n' : 'n not stated'}</span>
          </>
        )}
      </Cell>
      <Cell numeric>
        {'interval' in change ? formatDifference(change.interval) : <PlainDifference row={row} base={base} />}
      </Cell>
      <Cell>
        {'interval' in change ? (
          <Words change={change} />
        ) : (
          <span className="text-ink-3">{change.reason}</span>
        )}
      </Cell>
      <Cell numeric>{isFirst ? formatCount(result.invalid) : ''}</Cell>
      <Cell numeric>{isFirst ? formatDecimals(result.tokens?.mean, 1) : ''}</Cell>
      <Cell numeric>
        {isFirst &&
          (result.tokens
            ? `${formatDecimals(result.tokens.median, 1)}, ${formatDecimals(result.tokens.p95, 1)}`
            : MISSING)}
      </Cell>
    </Row>
  );
}

function PlainDifference({ row, base }: { row: ScoreRow; base: number | null }) {
  if (row.isBase || base === null) return <span className="text-ink-3">{MISSING}</span>;
  return <span className="text-ink-3">{formatSigned((row.score.value - base) * 100, 1)}</span>;
}

function Words({ change }: { change: Extract<ScoreRow['change'], { words: string }> }) {
  return change.kind === 'lost' || change.kind === 'gained' ? (
    <b className="font-semibold">{change.words}</b>
  ) : (
    <span>{change.words}</span>
  );
}

/** Success of the run's own checkpoint of the step, where it was evaluated. */
function AgentScore({ row, evaluations }: { row: ScoreRow; evaluations: readonly EvaluationRow[] }) {
  const found = evaluations.find(
    ({ current, evaluation }) =>
      current &&
      evaluation.policy === 'checkpoint' &&
      evaluation.split === 'valid_seen' &&
      evaluation.decoding === 'sampled' &&
      evaluation.step === row.step,
  );
  return found ? (
    <Rate successes={found.evaluation.successes} n={found.evaluation.n} />
  ) : (
    <span className="text-ink-3">not evaluated</span>
  );
}
