import type { AlertEvidence, AlertSeverity, Finding } from '@/contract/alert';
import { LIMITS } from './limits';

/** What a detector says of a run. */
export interface DetectorReport {
  /** Its newest figure beside its limit; null where it has not enough data. */
  reading: string | null;
  findings: Finding[];
}

/** What is found at one step. */
export interface Hit {
  message: string;
  severity: AlertSeverity;
  evidence: AlertEvidence[];
}

/**
 * Findings from what is found at each measured step, in their order: one for each time that it begins, with the gravest
 * severity, and the words and the evidence of its first step or, of what is judged by the whole course, its newest. It is
 * over after twenty measured steps without.
 */
export function findingsOf(
  subject: string,
  measured: readonly { step: number; hit: Hit | null }[],
  told: 'first' | 'newest' = 'first',
): Finding[] {
  const findings: Finding[] = [];
  let quiet = 0;
  let current: Finding | null = null;
  for (const { step, hit } of measured) {
    if (hit !== null) {
      quiet = 0;
      if (current === null) {
        current = { subject, step, lastStep: step, isOver: false, ...hit };
        findings.push(current);
      }
      const { severity } = current;
      if (told === 'newest') Object.assign(current, hit);
      current.lastStep = step;
      current.severity = severity === 'warning' ? severity : hit.severity;
    } else if (current !== null && ++quiet >= LIMITS.quietSteps) {
      current.isOver = true;
      current = null;
    }
  }
  return findings;
}

/** Reports about several subjects as one. */
export function merged(reports: readonly DetectorReport[]): DetectorReport {
  const readings = reports.flatMap(({ reading }) => reading ?? []);
  return {
    reading: readings.length === 0 ? null : readings.join('; '),
    findings: reports.flatMap(({ findings }) => findings),
  };
}
