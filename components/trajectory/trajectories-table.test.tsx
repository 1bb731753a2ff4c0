import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GroupFigures, ListedTrajectory } from '@/contract/trajectory-list';
import { RecordedNote } from './recorded-note';
import { TrajectoriesTable } from './trajectories-table';
import { aListed } from './trajectory-factory';
import { listItems } from './trajectory-groups';

const trained = (id: string, sample: number, shapedReward: number) =>
  aListed(id, {
    phase: 'train',
    split: 'train',
    group: 3,
    sample,
    shapedReward,
    advantage: shapedReward - 0.4,
  });

const figures: GroupFigures = {
  runId: 'r-0001',
  attempt: 1,
  step: 0,
  group: 3,
  n: 2,
  judged: 2,
  successes: 0,
  rewarded: 2,
  mean: 0.4,
  lowest: -0.2,
  highest: 1,
};

function show(
  rows: readonly ListedTrajectory[],
  {
    groupSize = 2,
    group = figures,
    text = '',
    ofAllRuns = false,
    window = [0, 100],
  }: {
    groupSize?: number | null;
    group?: GroupFigures;
    text?: string;
    ofAllRuns?: boolean;
    window?: [number, number];
  } = {},
) {
  const [first, end] = window;
  return render(
    <TrajectoriesTable
      items={listItems(rows, [group], true)}
      rows={{ ref: () => undefined, first, end, above: 24 * first, below: 0, show: () => undefined }}
      groupSize={groupSize}
      ofAllRuns={ofAllRuns}
      text={text}
      selectedId={null}
      onSelect={() => undefined}
    />,
  );
}

afterEach(cleanup);

describe('table of trajectories', () => {
  it('heads a whole training group with its baseline and the spread of its rewards', () => {
    show([trained('a', 0, 1), trained('b', 1, -0.2)]);
    expect(
      screen.getByText('Group 3 of step 0 · 0/2 succeeded · baseline 0.400 · rewards −0.200 to 1.000'),
    ).toBeTruthy();
    expect(screen.getByText('+0.60')).toBeTruthy();
    expect(screen.getByText('−0.60')).toBeTruthy();
  });

  it('has the figures of the whole group where a filter shows a part of it', () => {
    show([trained('a', 0, 1)]);
    expect(screen.getByText(/baseline 0.400 · rewards −0.200 to 1.000 · 1 of 2 shown$/)).toBeTruthy();
  });

  it('gives no baseline for a group that is recorded in part', () => {
    show([trained('a', 0, 1)], { groupSize: 8 });
    expect(
      screen.getByText('Group 3 of step 0 · 2 of 8 samples recorded, so no baseline · 1 of 2 shown'),
    ).toBeTruthy();
  });

  it('says that a group of equal rewards teaches nothing', () => {
    show([trained('a', 0, 1), trained('b', 1, 1)], { group: { ...figures, lowest: 1 } });
    expect(screen.getByText(/all rewards 1.000: no advantage, nothing learned/)).toBeTruthy();
  });

  it('says n/a where there is no advantage, and heads nothing outside training', () => {
    show([aListed('a', { phase: 'probe', group: 0, success: true, stopReason: 'success' })]);
    expect(screen.queryByText(/^Group/)).toBeNull();
    expect(screen.getByText('n/a')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'go to the red ball' }).getAttribute('href')).toBe(
      '/trajectories/a',
    );
  });

  it('names the run of each row where it is of all runs', () => {
    show([aListed('a', { runId: 'r-0007', runName: 'seventh' })], { ofAllRuns: true });
    expect(screen.getByRole('link', { name: 'seventh' }).getAttribute('href')).toBe('/runs/r-0007');
  });

  it('shows a hit as text with its words marked, and links to its turn', () => {
    const hit = { turn: 1, snippet: 'near a <b>Door</b>; doors', source: 'observation' } as const;
    const { container } = show([aListed('a', { turnsCount: 5, hit })], { text: 'door' });
    expect(container.querySelector('b')).toBeNull();
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Door']);
    expect(screen.getByText(/near a <b>/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'turn 2, observation' }).getAttribute('href')).toBe(
      '/trajectories/a?t=2',
    );
  });

  it('links a hit after the last turn to the end', () => {
    const hit = { turn: 5, snippet: 'door', source: 'observation' } as const;
    show([aListed('a', { turnsCount: 5, hit })], { text: 'door' });
    expect(screen.getByRole('link', { name: 'end, observation' }).getAttribute('href')).toBe(
      '/trajectories/a?t=end',
    );
  });

  it('draws the rows of the window alone and says how many there are', () => {
    const rows = Array.from({ length: 500 }, (_, index) => aListed(String(index)));
    show(rows, { window: [100, 110] });
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(Array.from({ length: 10 }, (_, index) => `/trajectories/${100 + index}`));
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('500');
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
