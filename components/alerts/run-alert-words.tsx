'use client';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { DETECTOR_WORDS, type Alert } from '@/contract/alert';
import { useOpenAlerts } from '@/components/data/alert-queries';
import { whenWords } from './alert-words';

const OpenAlerts = createContext<ReadonlyMap<string, readonly Alert[]>>(new Map());
/** Detectors named in a row of the list; the others are counted. */
const NAMED = 2;

/** Knows the open alerts of the runs that are in view. */
export function OpenAlertsProvider({ runIds, children }: { runIds: readonly string[]; children: ReactNode }) {
  const { data } = useOpenAlerts(runIds);
  const byRun = useMemo(() => groupedByRun(data ?? []), [data]);
  return <OpenAlerts value={byRun}>{children}</OpenAlerts>;
}

function groupedByRun(alerts: readonly Alert[]): Map<string, Alert[]> {
  const byRun = new Map<string, Alert[]>();
  for (const alert of alerts) byRun.set(alert.runId, [...(byRun.get(alert.runId) ?? []), alert]);
  return byRun;
}

/** ` · Reward above 1 ×3; Reply length`: what nobody has acknowledged yet, the gravest first. Nothing where all is quiet. */
export function RunAlertWords({ runId }: { runId: string }) {
  const alerts = useContext(OpenAlerts).get(runId) ?? [];
  if (alerts.length === 0) return null;
  const detectors = [...new Set(alerts.map(({ detector }) => detector))];
  const words = detectors.map((detector) => {
    const times = alerts.filter((alert) => alert.detector === detector).length;
    return `${DETECTOR_WORDS[detector].title}${times > 1 ? ` ×${times}` : ''}`;
  });
  const steps = alerts.map((alert) => `${DETECTOR_WORDS[alert.detector].title}, ${whenWords(alert)}`);
  return (
    <span className={alerts[0]?.severity === 'warning' ? 'text-bad' : 'text-warn'} title={steps.join('\n')}>
      {' · '}
      {words.slice(0, NAMED).join('; ')}
      {words.length > NAMED && ` and ${words.length - NAMED} more`}
    </span>
  );
}
