'use client';
import { DETECTORS, DETECTOR_WORDS, type DetectorId, type RunAlerts } from '@/contract/alert';
import { formatCount } from '@/contract/format';
import { useAlerts } from '@/components/data/alert-queries';
import { Fetched } from '@/components/data/fetched';
import { classNames } from '@/components/ui/class-names';
import { Panel, PanelHead } from '@/components/ui/panel';
import { TONE_TEXT } from '@/components/ui/tone';
import { AlertsTable } from './alerts-table';
import { detectorState } from './alert-words';

/** Every detector and what it says, so that quiet is information; below them what they found. */
export function DetectorsPanel({ runId }: { runId: string }) {
  const alerts = useAlerts(runId);
  return (
    <Panel aria-label="Detectors" className="mb-2.5">
      <Fetched query={alerts} what="the alerts" height={200}>
        {(data) => <Detectors runId={runId} alerts={data} />}
      </Fetched>
    </Panel>
  );
}

export function Detectors({ runId, alerts }: { runId: string; alerts: RunAlerts }) {
  const open = alerts.alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
  const caption =
    alerts.position === null
      ? 'have not read this run yet; they do within seconds of its first event'
      : `${formatCount(alerts.alerts.length)} found, ${formatCount(open)} not acknowledged; limits are in docs/detectors.md`;
  return (
    <>
      <PanelHead title="Detectors" caption={caption} />
      {alerts.position === null ? null : (
        <ul className="grid grid-cols-2 md:grid-cols-4 xl:grid-cols-7">
          {DETECTORS.map((detector) => (
            <DetectorCard key={detector} detector={detector} alerts={alerts} />
          ))}
        </ul>
      )}
      {alerts.alerts.length === 0 ? null : (
        <div className="max-h-88 overflow-y-auto">
          <AlertsTable runId={runId} alerts={alerts.alerts} />
        </div>
      )}
    </>
  );
}

function DetectorCard({ detector, alerts }: { detector: DetectorId; alerts: RunAlerts }) {
  const { title, needs } = DETECTOR_WORDS[detector];
  const { words, tone, reading } = detectorState(detector, alerts);
  const about = reading ?? `needs ${needs}`;
  return (
    <li className="min-w-0 border-r border-b border-line px-2.5 py-1.5">
      <span className="block truncate text-sm font-medium">{title}</span>
      <span className={classNames('block truncate text-xs', TONE_TEXT[tone])}>{words}</span>
      <span className="block truncate text-xs text-ink-3" title={about}>
        {about}
      </span>
    </li>
  );
}
