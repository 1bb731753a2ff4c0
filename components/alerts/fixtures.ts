import { DETECTORS, type Alert, type RunAlerts } from '@/contract/alert';

/** Full valid values for tests, with the given parts in place. */
export function anAlert(parts: Partial<Alert> = {}): Alert {
  return {
    id: '1',
    runId: 'r-0001',
    detector: 'none_available',
    subject: 'eval',
    step: 31,
    lastStep: 31,
    isOver: false,
    severity: 'warning',
    message:
      '1 of 4 trajectories say 3 times in a row or more that no action is available, the longest 6 times',
    evidence: [{ kind: 'trajectory', trajectoryId: '77', turn: 4 }],
    acknowledgedAt: null,
    createdAt: 0,
    ...parts,
  };
}

export function someAlerts(alerts: Alert[], measured: readonly string[] = []): RunAlerts {
  const readings = DETECTORS.map((detector) => ({
    detector,
    reading: measured.includes(detector) ? `${detector} is low` : null,
  }));
  return { position: 9, readings, alerts };
}
