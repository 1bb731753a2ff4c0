import { Fragment } from 'react';
import { Link } from '@/components/ui/link';
import { evaluationMetric } from '@/contract/evaluation';
import { formatCount, formatDecimals, formatPercent, formatReward, MISSING } from '@/contract/format';
import type { EvaluationUnitRow } from '@/contract/requested-evaluation';
import { summariseSeeds } from '@/stats/seeds';
import { Meter } from '@/components/ui/meter';
import { Panel } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';

interface UnitsTableProps {
  runId: string;
  /** Run whose checkpoints they are. */
  sourceId: string;
  units: readonly EvaluationUnitRow[];
  /** Key of the evaluation that the page was opened at; null = none. */
  selected: string | null;
}

const COLUMNS = 10;

/** A row for each evaluation; those of one checkpoint, split and decoding end with what the seeds come to. */
export function UnitsTable({ runId, sourceId, units, selected }: UnitsTableProps) {
  return (
    <Panel>
      <Table>
        <thead>
          <tr>
            <HeadCell>Split</HeadCell>
            <HeadCell>Decoding</HeadCell>
            <HeadCell numeric>Seed</HeadCell>
            <HeadCell numeric>Success, k/n, %, 95% Wilson</HeadCell>
            <HeadCell numeric>Invalid, % of turns</HeadCell>
            <HeadCell numeric>Turns</HeadCell>
            <HeadCell numeric>Reward</HeadCell>
            <HeadCell numeric>Errors</HeadCell>
            <HeadCell numeric>Cut off</HeadCell>
            <HeadCell numeric>Played</HeadCell>
          </tr>
        </thead>
        <tbody>
          {groupsOf(units, ({ step }) => String(step)).map((ofStep) => (
            <Fragment key={ofStep[0].key}>
              <GroupRow columns={COLUMNS}>
                Checkpoint {sourceId} at step {ofStep[0].step}
                {ofStep[0].step === 0 && ', untrained'}
              </GroupRow>
              {groupsOf(ofStep, ({ split, decoding }) => `${split}/${decoding}`).map((seeds) => (
                <Fragment key={seeds[0].key}>
                  {seeds.map((unit) => (
                    <UnitRow key={unit.key} runId={runId} unit={unit} selected={unit.key === selected} />
                  ))}
                  {seeds.length > 1 && <SeedsRow units={seeds} />}
                </Fragment>
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function UnitRow({ runId, unit, selected }: { runId: string; unit: EvaluationUnitRow; selected: boolean }) {
  const { split, decoding, seed, result, played, tasks, errors, truncated } = unit;
  const search = new URLSearchParams({ evaluation: unit.key });
  return (
    <Row selected={selected || undefined}>
      <Cell>{split}</Cell>
      <Cell>{decoding}</Cell>
      <Cell numeric>{decoding === 'greedy' ? 'draws nothing' : seed}</Cell>
      <Cell numeric>
        {result ? <Rate successes={result.successes} n={result.n} /> : <SoFar unit={unit} />}
      </Cell>
      <Cell numeric>{formatPercent(result && evaluationMetric(result, 'invalid_action_rate'))}</Cell>
      <Cell numeric>{formatDecimals(result && evaluationMetric(result, 'turns_mean'), 2)}</Cell>
      <Cell numeric>{formatReward(result?.rewardMean)}</Cell>
      <Cell numeric>{formatCount(played === 0 ? null : errors)}</Cell>
      <Cell numeric>{formatCount(played === 0 ? null : truncated)}</Cell>
      <Cell numeric>
        {played === 0 ? (
          `0 of ${formatCount(tasks)}`
        ) : (
          <Link
            href={`/runs/${encodeURIComponent(runId)}/trajectories?${search.toString()}`}
            className="text-link"
          >
            {formatCount(played)} of {formatCount(tasks)}
          </Link>
        )}
        {result === null && (
          <Meter
            fraction={played / tasks}
            label={`Played of ${split}, ${decoding}, seed ${seed}, step ${unit.step}`}
          />
        )}
      </Cell>
    </Row>
  );
}

/** The tasks come in a fixed order, so that the first of them are no sample of all: no interval. */
function SoFar({ unit: { successes, played } }: { unit: EvaluationUnitRow }) {
  if (played === 0) return <span className="text-ink-3">{MISSING}</span>;
  return (
    <span className="text-ink-3" title="Not all tasks are played: no rate and no interval yet">
      {successes}/{played} so far
    </span>
  );
}

function SeedsRow({ units }: { units: readonly EvaluationUnitRow[] }) {
  const rates = units.flatMap(({ result }) => (result && result.n > 0 ? [result.successes / result.n] : []));
  return (
    <Row className="text-ink-2">
      <Cell />
      <Cell />
      <Cell numeric className="text-xs">
        {rates.length} of {units.length} seeds
      </Cell>
      <Cell numeric>{rates.length === 0 ? MISSING : seedWords(rates)}</Cell>
      <Cell colSpan={COLUMNS - 4} className="text-xs text-ink-3">
        mean ± sample standard deviation over evaluation seeds
      </Cell>
    </Row>
  );
}

function seedWords(rates: readonly number[]): string {
  const { n, mean, standardDeviation } = summariseSeeds(rates);
  return `${formatPercent(mean)} ± ${formatPercent(standardDeviation)}, n = ${n}`;
}

/** Neighbours that share a name, in their order; none is empty. */
function groupsOf(
  units: readonly EvaluationUnitRow[],
  nameOf: (unit: EvaluationUnitRow) => string,
): [EvaluationUnitRow, ...EvaluationUnitRow[]][] {
  const groups: [EvaluationUnitRow, ...EvaluationUnitRow[]][] = [];
  for (const unit of units) {
    const last = groups.at(-1);
    if (last && nameOf(last[0]) === nameOf(unit)) last.push(unit);
    else groups.push([unit]);
  }
  return groups;
}
