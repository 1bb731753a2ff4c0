'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { EvaluationFigure, RunRow } from '@/contract/api';
import { formatReward, formatSeconds, MISSING } from '@/contract/format';
import { Meter } from '@/components/ui/meter';
import { Rate } from '@/components/ui/rate';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';
import { useNow } from '@/components/data/now';
import { RunStatusWord, STATUS_LOOKS } from './run-status';

/** The list: what is running, what broke, which is worth opening. */
export function RunsTable({ runs, selectedId }: { runs: readonly RunRow[]; selectedId: string | null }) {
  const now = useNow();
  const router = useRouter();
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>Status</HeadCell>
          <HeadCell>Run</HeadCell>
          <HeadCell>Recipe</HeadCell>
          <HeadCell numeric>Seed</HeadCell>
          <HeadCell className="w-40">Step</HeadCell>
          <HeadCell numeric title="Shaped reward, mean over the last step’s trajectories">
            Reward,
            <br />
            last step
          </HeadCell>
          <HeadCell numeric>
            Last success, %<br />
            valid_seen, k/n, 95% Wilson
          </HeadCell>
          <HeadCell numeric>
            Best success, %<br />
            valid_seen, at step
          </HeadCell>
          <HeadCell>Worker</HeadCell>
          <HeadCell numeric>Started</HeadCell>
          <HeadCell numeric>Duration</HeadCell>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row
            key={run.id}
            selected={run.id === selectedId}
            data-run={run.id}
            className="h-11 cursor-pointer"
            onClick={(event) => {
              if (!(event.target instanceof Element && event.target.closest('a')))
                router.push(`/runs/${run.id}`);
            }}
          >
            <RunCells run={run} now={now} />
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function RunCells({ run, now }: { run: RunRow; now: number | null }) {
  const endedAt = run.finishedAt ?? now;
  const duration =
    run.startedAt !== null && endedAt !== null ? Math.max(0, endedAt - run.startedAt) / 1000 : null;
  return (
    <>
      <Cell>
        <RunStatusWord status={run.status} reason={run.reason} />
      </Cell>
      <Cell className="max-w-80">
        <Link href={`/runs/${run.id}`} className="block truncate font-medium no-underline hover:underline">
          {run.name}
        </Link>
        <span className="block truncate text-xs text-ink-3">
          {run.id}
          {run.attempt > 1 && ` · attempt ${run.attempt}`}
          {run.reason && <span title={run.reason}> · {run.reason}</span>}
        </span>
      </Cell>
      <Cell>
        {run.recipe}
        <span className="block text-xs text-ink-3">{run.preset}</span>
      </Cell>
      <Cell numeric>{run.seed}</Cell>
      <Cell>
        <span className="block">
          {run.step}
          <span className="text-ink-3">/{run.steps ?? MISSING}</span>
        </span>
        <Meter
          fraction={run.steps ? run.step / run.steps : 0}
          tone={STATUS_LOOKS[run.status].tone}
          label={`Steps of ${run.name}`}
        />
      </Cell>
      <Cell numeric>{formatReward(run.rewardMean)}</Cell>
      <Cell numeric>
        <Figure figure={run.lastEvaluation} />
      </Cell>
      <Cell numeric>
        <Figure figure={run.bestEvaluation} named />
      </Cell>
      <Cell>{run.workerName ?? <span className="text-ink-3">{MISSING}</span>}</Cell>
      <Cell numeric>
        <Ago at={run.startedAt} now={now} />
      </Cell>
      <Cell numeric>{formatSeconds(duration)}</Cell>
    </>
  );
}

/** A success figure; `named` adds split and step, without which nothing may be called best. */
function Figure({ figure, named = false }: { figure: EvaluationFigure | null; named?: boolean }) {
  if (!figure) return <span className="text-ink-3">{MISSING}</span>;
  return (
    <span className="inline-flex flex-col items-end">
      <Rate successes={figure.successes} n={figure.n} />
      <span className="text-xs text-ink-3">
        {named ? `${figure.split}, step ${figure.step}` : `step ${figure.step}`}
      </span>
    </span>
  );
}
