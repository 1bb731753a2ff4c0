import { Link } from '@/components/ui/link';
import type { EvaluationFigure } from '@/contract/api';
import type { ListedRun } from '@/contract/run-list';
import { formatReward, formatSeconds, MISSING } from '@/contract/format';
import { RunAlertWords } from '@/components/alerts/run-alert-words';
import { Meter } from '@/components/ui/meter';
import { Rate } from '@/components/ui/rate';
import { Cell } from '@/components/ui/table';
import { Tag } from '@/components/ui/tag';
import { Ago } from '@/components/ui/time';
import { runCostWords } from './run-cost';
import { runSeconds } from './run-duration';
import { RunStatusWord, STATUS_LOOKS } from './run-status';

/** The cells of a run in the list. `now` in ms since 1970, null where the time is not known yet. */
export function RunCells({ run, now }: { run: ListedRun; now: number | null }) {
  const duration = runSeconds(run.startedAt, run.finishedAt ?? now);
  return (
    <>
      <Cell>
        <RunStatusWord status={run.status} reason={run.reason} />
      </Cell>
      <NameCell run={run} />
      <Cell className="truncate" title={`${run.recipe}, ${run.preset}`}>
        {run.recipe}
        <span className="block truncate text-xs text-ink-3">{run.preset}</span>
      </Cell>
      <Cell className="truncate">{run.environment ?? <Missing />}</Cell>
      <Cell numeric>{run.seed ?? MISSING}</Cell>
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
      <Cell numeric className="truncate">
        {runCostWords(run)}
      </Cell>
      <Cell className="truncate max-[1400px]:hidden">{run.workerName ?? <Missing />}</Cell>
      <Cell numeric>
        <Ago at={run.startedAt} now={now} />
      </Cell>
      <Cell numeric>{formatSeconds(duration)}</Cell>
    </>
  );
}

/** The name, the kind where it is no training, and below it the id and what the run says of itself. */
function NameCell({ run }: { run: ListedRun }) {
  return (
    <Cell>
      <span className="flex items-center gap-1.5">
        <Link
          href={`/runs/${run.id}`}
          className="min-w-0 truncate font-medium no-underline hover:underline"
          title={run.name}
        >
          {run.name}
        </Link>
        {run.kind === 'training' ? null : <Tag>{run.kind}</Tag>}
      </span>
      <span className="block truncate text-xs text-ink-3">
        {run.id}
        {run.attempt > 1 && ` · attempt ${run.attempt}`}
        {run.reason && <span title={run.reason}> · {run.reason}</span>}
        <RunAlertWords runId={run.id} />
      </span>
    </Cell>
  );
}

function Missing() {
  return <span className="text-ink-3">{MISSING}</span>;
}

/** A success figure; `named` adds split and step, without which nothing may be called best. */
function Figure({ figure, named = false }: { figure: EvaluationFigure | null; named?: boolean }) {
  if (!figure) return <Missing />;
  return (
    <span className="inline-flex flex-col items-end">
      <Rate successes={figure.successes} n={figure.n} />
      <span className="text-xs text-ink-3">
        {named ? `${figure.split}, step ${figure.step}` : `step ${figure.step}`}
        {figure.evaluations > 1 && (
          <span title="Of several evaluations of the step, over seeds or settings, this is the last; Compare has them all.">
            , 1 of {figure.evaluations} evaluations
          </span>
        )}
      </span>
    </span>
  );
}
