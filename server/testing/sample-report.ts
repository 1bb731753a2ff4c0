import type { WorkerReport } from '@/contract/worker-report';

/** What a worker on a machine with one H200 says, with the changes that a test is about. */
export function sampleReport(changes: Partial<WorkerReport> = {}): WorkerReport {
  return {
    gpus: [
      {
        index: 0,
        name: 'NVIDIA H200',
        memoryTotalMib: 143_771,
        memoryUsedMib: 61_234,
        utilizationPercent: 88,
        computeCapability: '9.0',
        driver: '570.133.20',
        mig: false,
      },
    ],
    gpuProblem: null,
    dtype: { dtype: 'bfloat16', reason: 'a reason' },
    cuda: { available: false, reason: 'a reason' },
    tinker: null,
    engineCommand: null,
    ...changes,
  };
}
