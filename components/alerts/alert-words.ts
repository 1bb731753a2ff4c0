import type { Alert, AlertEvidence, DetectorId, RunAlerts } from '@/contract/alert';
import { withChanges } from '@/components/data/url-state';
import type { Tone } from '@/components/ui/tone';

/** `step 31`, `steps 60 to 69`, `since step 31`. */
export function whenWords({ step, lastStep, isOver }: Pick<Alert, 'step' | 'lastStep' | 'isOver'>): string {
  if (step === lastStep) return `step ${step}`;
  return isOver ? `steps ${step} to ${lastStep}` : `since step ${step}`;
}

export interface DetectorState {
  words: string;
  tone: Tone;
  /** What it reads, in words; null where it has not enough data. */
  reading: string | null;
}

/** A detector as its card shows it. Nothing is quiet that was not measured. */
export function detectorState(detector: DetectorId, { readings, alerts }: RunAlerts): DetectorState {
  const reading = readings.find((each) => each.detector === detector)?.reading ?? null;
  const fired = alerts.filter((alert) => alert.detector === detector);
  const open = fired.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const newest = (open.length > 0 ? open : fired).at(-1);
  if (!newest) return { words: reading === null ? 'not enough data' : 'quiet', tone: 'quiet', reading };
  const more = fired.length > 1 ? `, ${fired.length} times` : '';
  if (open.length === 0) return { words: `acknowledged${more}`, tone: 'quiet', reading };
  const tone = newest.isOver ? 'quiet' : newest.severity === 'warning' ? 'bad' : 'warn';
  return { words: `${whenWords(newest)}${more}`, tone, reading };
}

export interface EvidenceLink {
  href: string;
  words: string;
}

/** Where a piece of evidence is seen: the chart at its step, the trajectory at its turn, the step’s trajectories. */
export function evidenceLink(runId: string, evidence: AlertEvidence): EvidenceLink {
  const run = `/runs/${encodeURIComponent(runId)}`;
  switch (evidence.kind) {
    case 'series':
      return {
        href: withChanges(run, '', { tab: 'charts', at: evidence.step }),
        words: `${evidence.name} at ${evidence.step}`,
      };
    case 'trajectory': {
      const { trajectoryId, turn } = evidence;
      const path = `/trajectories/${encodeURIComponent(trajectoryId)}`;
      return turn === null
        ? { href: path, words: `trajectory ${trajectoryId}` }
        : {
            href: withChanges(path, '', { t: turn + 1 }),
            words: `trajectory ${trajectoryId}, turn ${turn + 1}`,
          };
    }
    case 'evaluation':
      return {
        href: withChanges(run, '', { tab: 'evaluations' }),
        words: `${evidence.split} at step ${evidence.step}`,
      };
    case 'step':
      return {
        href: withChanges(`${run}/trajectories`, '', { step: evidence.step, phase: evidence.phase }),
        words: `${evidence.phase} trajectories of step ${evidence.step}`,
      };
  }
}
