import {
  AlertEvidence,
  DetectorReading,
  type Alert,
  type DetectorId,
  type RunAlerts,
} from '@/contract/alert';
import { AppError } from '@/contract/errors';
import type { Database, Prisma } from '../database';

type AlertRecord = Prisma.AlertGetPayload<object>;

/** What the detectors found in a run, by step, and what they read. */
export async function listAlerts({ prisma }: Database, runId: string): Promise<RunAlerts> {
  const [analysis, alerts] = await Promise.all([
    prisma.runAnalysis.findUnique({ where: { runId } }),
    prisma.alert.findMany({ where: { runId }, orderBy: [{ step: 'asc' }, { id: 'asc' }] }),
  ]);
  return {
    position: analysis?.position ?? null,
    readings: analysis ? DetectorReading.array().parse(analysis.readings) : [],
    alerts: alerts.map(toAlert),
  };
}

/** Alerts of some runs that nobody has acknowledged, the gravest of a run first, then the newest. */
export async function listOpenAlerts({ prisma }: Database, runIds: readonly string[]): Promise<Alert[]> {
  const alerts = await prisma.alert.findMany({
    where: { runId: { in: [...runIds] }, acknowledgedAt: null },
    // `warning` comes after `notice` in the alphabet.
    orderBy: [{ runId: 'asc' }, { severity: 'desc' }, { step: 'desc' }, { id: 'asc' }],
  });
  return alerts.map(toAlert);
}

/** Takes note of an alert, or takes that back; throws `not_found`. */
export async function acknowledgeAlert(
  { prisma }: Database,
  alertId: string,
  acknowledged: boolean,
): Promise<Alert> {
  const id = /^\d{1,9}$/.test(alertId) ? Number(alertId) : -1;
  const [alert] = await prisma.alert.updateManyAndReturn({
    where: { id },
    data: { acknowledgedAt: acknowledged ? new Date() : null },
  });
  if (!alert)
    throw new AppError('not_found', `no alert has the id ${alertId}`, [
      { path: 'alertId', message: 'expected the id of an alert; one that is no longer found has none' },
    ]);
  return toAlert(alert);
}

function toAlert({
  id,
  detector,
  severity,
  evidence,
  acknowledgedAt,
  createdAt,
  ...columns
}: AlertRecord): Alert {
  return {
    ...columns,
    id: String(id),
    // Both are written by the detectors alone.
    detector: detector as DetectorId,
    severity: severity as Alert['severity'],
    evidence: AlertEvidence.array().parse(evidence),
    acknowledgedAt: acknowledgedAt?.getTime() ?? null,
    createdAt: createdAt.getTime(),
  };
}
