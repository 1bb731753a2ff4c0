import { WORKER_REPORT_STALE_MS, type WorkerReport } from '@/contract/worker-report';

/** Models of a server that are named; the others are counted. */
const NAMED_MODELS = 8;

/** Whether what a worker said of its machine may no longer hold: it is away, or its next reports did not come. */
export function isStale(
  { connected, reportedAt }: { connected: boolean; reportedAt: number | null },
  now: number,
): boolean {
  return !connected || reportedAt === null || now - reportedAt > WORKER_REPORT_STALE_MS;
}

/** What a machine offers to engines, as name and words. */
export function machineFacts({ dtype, cuda, tinker, engineCommand }: WorkerReport): [string, string][] {
  return [
    ['Type for engines', `${dtype.dtype}: ${dtype.reason}`],
    [
      'CUDA',
      cuda.available
        ? 'available to the embedded engine; not run here'
        : `not available: ${cuda.reason ?? 'no reason was given'}`,
    ],
    ...(tinker ? [['Tinker server', tinkerWords(tinker)] satisfies [string, string]] : []),
    ...(engineCommand
      ? [['Engine command', `${engineCommand.state}: ${engineCommand.words}`] satisfies [string, string]]
      : []),
  ];
}

function tinkerWords({ address, models, problem }: NonNullable<WorkerReport['tinker']>): string {
  if (problem !== null) return `${address} is not reached: ${problem}`;
  if (models.length === 0) return `${address} has no model`;
  const named = models.slice(0, NAMED_MODELS).join(', ');
  const others = models.length > NAMED_MODELS ? ` and ${models.length - NAMED_MODELS} more` : '';
  return `${address} has ${named}${others}`;
}
