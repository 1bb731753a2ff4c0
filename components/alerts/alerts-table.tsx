'use client';
import { Link } from '@/components/ui/link';
import { CircleAlert, Info } from 'lucide-react';
import { DETECTOR_WORDS, type Alert, type AlertSeverity } from '@/contract/alert';
import { useAcknowledge } from '@/components/data/alert-queries';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Note } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { TONE_TEXT, type Tone } from '@/components/ui/tone';
import { evidenceLink, whenWords } from './alert-words';

const SEVERITY_LOOKS: Record<AlertSeverity, { icon: typeof Info; tone: Tone }> = {
  notice: { icon: Info, tone: 'warn' },
  warning: { icon: CircleAlert, tone: 'bad' },
};

/** What the detectors found, those that nobody has acknowledged first, each with its evidence. */
export function AlertsTable({ runId, alerts }: { runId: string; alerts: readonly Alert[] }) {
  const acknowledge = useAcknowledge(runId);
  const open = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const rows = [...open, ...alerts.filter((alert) => !open.includes(alert))];
  return (
    <>
      <Table>
        <thead>
          <tr>
            <HeadCell>Severity</HeadCell>
            <HeadCell>Step</HeadCell>
            <HeadCell>Detector</HeadCell>
            <HeadCell>Found</HeadCell>
            <HeadCell>Evidence</HeadCell>
            <HeadCell>
              <span className="sr-only">Acknowledge</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              isChanging={acknowledge.isPending && acknowledge.variables.alertId === alert.id}
              onAcknowledge={(acknowledged) => acknowledge.mutate({ alertId: alert.id, acknowledged })}
            />
          ))}
        </tbody>
      </Table>
      {acknowledge.error ? (
        <Note tone="bad" role="alert">
          {acknowledge.error.message}
        </Note>
      ) : null}
    </>
  );
}

interface AlertRowProps {
  alert: Alert;
  isChanging: boolean;
  onAcknowledge: (acknowledged: boolean) => void;
}

function AlertRow({ alert, isChanging, onAcknowledge }: AlertRowProps) {
  const isOpen = alert.acknowledgedAt === null;
  const { icon, tone } = SEVERITY_LOOKS[alert.severity];
  const { title } = DETECTOR_WORDS[alert.detector];
  return (
    <Row className={isOpen ? undefined : 'text-ink-3'}>
      <Cell className={classNames('whitespace-nowrap', isOpen && TONE_TEXT[tone])}>
        <Icon of={icon} /> {alert.severity}
      </Cell>
      <Cell className="whitespace-nowrap">{whenWords(alert)}</Cell>
      <Cell className="whitespace-nowrap">{title}</Cell>
      <Cell>{alert.message}</Cell>
      <Cell>
        {alert.evidence.map((evidence) => {
          const { href, words } = evidenceLink(alert.runId, evidence);
          return (
            <Link key={href} href={href} className="block max-w-80 truncate" title={words}>
              {words}
            </Link>
          );
        })}
      </Cell>
      <Cell numeric>
        <Button
          size="small"
          variant="quiet"
          disabled={isChanging}
          aria-label={`${isOpen ? 'Acknowledge' : 'Reopen'}: ${title}, ${whenWords(alert)}`}
          onClick={() => onAcknowledge(isOpen)}
        >
          {isOpen ? 'Acknowledge' : 'Reopen'}
        </Button>
      </Cell>
    </Row>
  );
}
