import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { RecordedNote } from './recorded-note';
import { TrajectoriesTable } from './trajectories-table';
import { aSummary } from './trajectory-factory';
import { groupTrajectories } from './trajectory-groups';

const trained = (id: string, sample: number, shapedReward: number) =>
  aSummary(id, {
    phase: 'train',
    split: 'train',
    group: 3,
    sample,
    shapedReward,
    advantage: shapedReward - 0.4,
  });

function show(rows: Parameters<typeof groupTrajectories>[0], groupSize: number | null) {
  render(
    <TrajectoriesTable
      groups={groupTrajectories(rows)}
      groupSize={groupSize}
      selectedId={null}
      onSelect={() => undefined}
    />,
  );
}

afterEach(cleanup);

describe('table of trajectories', () => {
  it('heads a whole training group with its baseline and the spread of its rewards', () => {
    show([trained('a', 0, 1), trained('b', 1, -0.2)], 2);
    expect(
      screen.getByText('Group 3 of step 0 · 0/2 succeeded · baseline 0.400 · rewards −0.200 to 1.000'),
    ).toBeTruthy();
    expect(screen.getByText('+0.60')).toBeTruthy();
    expect(screen.getByText('−0.60')).toBeTruthy();
  });

  it('gives no baseline for a group that is shown in part', () => {
    show([trained('a', 0, 1)], 8);
    expect(screen.getByText('Group 3 of step 0 · 1 of 8 samples shown, so no baseline')).toBeTruthy();
  });

  it('says n/a where there is no advantage, and heads nothing outside training', () => {
    show([aSummary('a', { phase: 'probe', group: 0, success: true, stopReason: 'success' })], 8);
    expect(screen.queryByText(/^Group/)).toBeNull();
    expect(screen.getByText('n/a')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'go to the red ball' }).getAttribute('href')).toBe(
      '/trajectories/a',
    );
  });
});

describe('what is recorded', () => {
  const { demo } = GRPO_PRESETS;

  it('says how much of training is kept and which setting keeps more', () => {
    render(<RecordedNote config={demo} phase="train" />);
    expect(
      screen.getByText(/32 of 128 trajectories of each step are recorded, 4 of 16 groups of 8/),
    ).toBeTruthy();
    expect(screen.getByText('recording.trainGroups')).toBeTruthy();
  });

  it('says so where all is kept, and nothing of probes', () => {
    const all = { ...demo, recording: { trainGroups: 99 } };
    render(<RecordedNote config={all} phase={undefined} />);
    expect(screen.getByText(/all 128 trajectories of each step are recorded/)).toBeTruthy();
    cleanup();
    const { container } = render(<RecordedNote config={demo} phase="probe" />);
    expect(container.textContent).toBe('');
  });
});
