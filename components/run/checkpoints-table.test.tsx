import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckpointRow } from '@/contract/api';
import { playHref, readDraft } from '@/components/play/play-draft';
import { CheckpointsTable } from './checkpoints-table';

afterEach(cleanup);

const aCheckpoint = (step: number, complete: boolean): CheckpointRow => ({
  id: String(step),
  attempt: 1,
  step,
  parentStep: null,
  size: 10,
  files: [],
  locations: [{ kind: 'blob' }],
  complete,
  createdAt: 0,
});
const choice = {
  chosen: [],
  toggle: vi.fn(),
  evaluate: vi.fn(),
  playHref: (step: number) => playHref({ runId: 'r-0001', step }),
};
const playLinks = () => screen.queryAllByRole('link', { name: /^Play the checkpoint/ });

describe('the table of checkpoints', () => {
  it('leads from each whole checkpoint to the form of a play that has it chosen', () => {
    const checkpoints = [aCheckpoint(10, true), aCheckpoint(20, false)];
    render(<CheckpointsTable checkpoints={checkpoints} evaluations={[]} choice={choice} />);
    const [link, ...others] = playLinks();
    expect(others).toEqual([]);
    const { search } = new URL(link?.getAttribute('href') ?? '', 'http://here');
    expect(readDraft(new URLSearchParams(search))).toMatchObject({ checkpoint: 'r-0001@10', world: 'task' });
  });

  it('leads to no play where no worker could load the checkpoints', () => {
    render(<CheckpointsTable checkpoints={[aCheckpoint(10, true)]} evaluations={[]} />);
    expect(playLinks()).toEqual([]);
  });
});
