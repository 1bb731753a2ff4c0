import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { WorkerRow } from '@/contract/api';
import type { GpuReport, WorkerReport } from '@/contract/worker-report';
import { MachinePanel } from './machine-panel';

afterEach(cleanup);

const NOW = 1_800_000_000_000;
const H200: GpuReport = {
  index: 0,
  name: 'NVIDIA H200',
  memoryTotalMib: 143_771,
  memoryUsedMib: 61_234,
  utilizationPercent: 88,
  computeCapability: '9.0',
  driver: '570.133.20',
  mig: false,
};
const REPORT: WorkerReport = {
  gpus: [H200, { ...H200, index: 1, memoryUsedMib: null, utilizationPercent: null, mig: true }],
  gpuProblem: null,
  dtype: { dtype: 'bfloat16', reason: 'sm_90' },
  cuda: { available: false, reason: 'Failed to load shared library' },
  tinker: { address: 'http://gpu:8000', models: ['Qwen/Qwen3-8B'], problem: null },
  engineCommand: { state: 'ready', words: 'process group 7 answers' },
};

function show(report: WorkerReport | null, changes: Partial<WorkerRow> = {}) {
  const worker: WorkerRow = {
    id: 'worker-gpu',
    name: 'gpu box',
    connected: true,
    protocol: 1,
    devices: ['cpu'],
    engines: ['onnx', 'tinker'],
    environments: ['babyai'],
    lastBeatAt: null,
    report,
    reportedAt: NOW - 20_000,
    runId: null,
    runName: null,
    ...changes,
  };
  return render(<MachinePanel worker={worker} now={NOW} />);
}

const rowTexts = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    );

describe('the machine of a worker', () => {
  it('shows each card, and n/a for what it does not tell', () => {
    show(REPORT);
    expect(rowTexts()).toEqual([
      ['0', 'NVIDIA H200', '61,234 / 143,771', '88', '9.0', '570.133.20'],
      ['1', 'NVIDIA H200 in MIG instances', 'n/a / 143,771', 'n/a', '9.0', '570.133.20'],
    ]);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42.6');
  });

  it('says what engines are offered, each with its reason', () => {
    show(REPORT);
    const facts = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(facts).toEqual([
      'bfloat16: sm_90',
      'not available: Failed to load shared library',
      'http://gpu:8000 has Qwen/Qwen3-8B',
      'ready: process group 7 answers',
    ]);
  });

  it('says that a CUDA provider that can be loaded has not been run here', () => {
    show({ ...REPORT, cuda: { available: true, reason: null } });
    expect(screen.getByText('available to the embedded engine; not run here')).toBeDefined();
  });

  it('says why there is no card and why a server is not reached', () => {
    show({
      ...REPORT,
      gpus: [],
      gpuProblem: 'nvidia-smi is not installed',
      tinker: { address: 'http://gpu:8000', models: [], problem: 'the connection was refused' },
      engineCommand: null,
    });
    expect(screen.getByText('No GPU: nvidia-smi is not installed.')).toBeDefined();
    expect(screen.getByText('http://gpu:8000 is not reached: the connection was refused')).toBeDefined();
    expect(screen.queryByText('Engine command')).toBeNull();
  });

  it.each([
    ['a worker that is away', { connected: false }],
    ['reports that stopped coming', { reportedAt: NOW - 91_000 }],
  ])('marks the figures of %s as stale', (_, changes) => {
    show(REPORT, changes);
    expect(screen.getByText('stale')).toBeDefined();
  });

  it('does not mark those of a worker that keeps reporting', () => {
    show(REPORT);
    expect(screen.queryByText('stale')).toBeNull();
    expect(screen.getByText('20 s ago')).toBeDefined();
  });

  it('is not shown for a worker that told nothing', () => {
    expect(show(null).container.textContent).toBe('');
  });
});
