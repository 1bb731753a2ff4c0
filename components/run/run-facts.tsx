'use client';
import type { ReactNode } from 'react';
import type { RunDetail } from '@/contract/api';
import { formatAgo, formatSeconds, MISSING } from '@/contract/format';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { isFinalStatus, isHeldStatus } from '@/contract/run';
import { useNow } from '@/components/data/now';
import { useWorkers } from '@/components/data/run-queries';
import { formatDate } from '@/components/ui/time';
import { importFacts } from './import-facts';
import { runConfigOf } from './run-config-of';

/** Who runs it, whether it is alive, since when, with what. */
export function RunFacts({ detail }: { detail: RunDetail }) {
  const { view, worker } = detail;
  const now = useNow();
  const config = runConfigOf(detail);
  const facts: [string, ReactNode][] = importFacts(detail) ?? [
    ['Worker', worker?.name ?? MISSING],
    ['Heartbeat', <Heartbeat key="heartbeat" detail={detail} now={now} />],
    ['Started', view.startedAt === null ? MISSING : now === null ? '' : formatDate(view.startedAt, now)],
    ['Attempt', attemptWords(detail)],
    ['Engine, model', config ? `${config.engine.kind}, ${config.engine.model}` : MISSING],
    ['Environment, scaffold', config ? `${config.environment.id}, ${config.scaffold.id}` : MISSING],
    ['Batch', config ? batchWords(config) : MISSING],
    [
      'Evaluation',
      config
        ? detail.run.kind === 'evaluation'
          ? splitWords(config.evaluation.splits)
          : config.evaluation.everySteps === 0
            ? 'never'
            : `every ${config.evaluation.everySteps === 1 ? 'step' : `${config.evaluation.everySteps} steps`}: ${splitWords(config.evaluation.splits)}; first and last: ${splitWords(config.evaluation.finalSplits)}`
        : MISSING,
    ],
  ];
  return (
    <dl className="flex flex-wrap border-t border-line">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0 grow border-r border-line px-2.5 pt-1.25 pb-1.5 last:border-r-0">
          <dt className="text-xs font-medium text-ink-3">{name}</dt>
          <dd className="truncate text-sm" title={typeof value === 'string' ? value : undefined}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function splitWords(splits: readonly { split: string; tasks: number }[]): string {
  return splits.map(({ split, tasks }) => `${split} ${tasks}`).join(', ') || 'nothing';
}

function batchWords({ rollout, environment }: RunSettings): string {
  const { groups, groupSize } = rollout;
  const turns = `≤ ${environment.maxTurns} turns`;
  if (groups === undefined || groupSize === undefined) return turns;
  return `${groups} ${groups === 1 ? 'group' : 'groups'} of ${groupSize}, ${turns}`;
}

function attemptWords({ view }: RunDetail): string {
  if (view.attempt === 0) return 'not started';
  return view.resumedFromStep === null
    ? `${view.attempt}`
    : `${view.attempt}, resumed from step ${view.resumedFromStep}`;
}

function Heartbeat({ detail, now }: { detail: RunDetail; now: number | null }) {
  const workers = useWorkers();
  const { view, worker, leaseMs } = detail;
  if (!worker || isFinalStatus(view.status)) return MISSING;
  if (now === null) return '';
  const heard = workers.data?.find((each) => each.id === worker.id)?.lastBeatAt ?? worker.lastBeatAt;
  if (heard === null) return MISSING;
  const late = isHeldStatus(view.status) && now - heard > leaseMs;
  return (
    <span className={late ? 'text-warn' : undefined}>
      {formatAgo(heard, now)}, lease {formatSeconds(leaseMs / 1000)}
      {late && ', overdue'}
    </span>
  );
}
