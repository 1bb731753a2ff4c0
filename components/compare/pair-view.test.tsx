import { useState } from 'react';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ProbeIndex } from '@/contract/api';
import type { Pair } from '@/contract/pair';
import { recordPair, SCRIPTS } from '@/e2e/fixtures/record-pair';
import { aSummary } from '@/components/trajectory/trajectory-factory';
import { useKeyListener } from '@/components/ui/key-map';
import { PairView, type PairViewState } from './pair-view';

const unlock = recordPair(SCRIPTS.unlock);
const index: ProbeIndex = {
  steps: [0, 10, 120],
  tasks: [
    { taskId: unlock.taskId, taskType: unlock.taskType, goal: unlock.goal },
    { taskId: 'babyai/GoToObjDoor/1000000', taskType: 'goto', goal: 'go to the blue box' },
  ],
};
const choose = vi.fn();
const swap = vi.fn();
const lay = vi.fn();

function Harness({ pair }: { pair: Pair }) {
  useKeyListener();
  const [state, setState] = useState<PairViewState>({
    row: null,
    list: true,
    unfolded: false,
    heat: 'logprob',
    diff: false,
  });
  return (
    <PairView
      pair={pair}
      probe={{ index, choose }}
      state={state}
      onState={(changes) => setState((before) => ({ ...before, ...changes }))}
      swap={swap}
      lay={lay}
    />
  );
}
const press = (key: string) => fireEvent.keyDown(document.body, { key });
const lanes = () => screen.getByRole('group', { name: 'Aligned turns' });
const currentRow = () =>
  within(lanes())
    .getAllByRole('button', { name: /^Row/ })
    .find((button) => button.getAttribute('aria-current') === 'step')?.textContent;
const samplesOf = (successes: number, n: number) =>
  Array.from({ length: n }, (_, sample) =>
    aSummary(`s${sample}`, { decoding: 'sampled', sample, success: sample < successes }),
  );

// jsdom lays nothing out, so it has nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  for (const mock of [choose, swap, lay]) mock.mockClear();
});

describe('pair', () => {
  it('opens at the first divergence', () => {
    render(<Harness pair={unlock} />);
    expect(currentRow()).toBe('3');
    expect(screen.getByText(/First divergence at row 3\./)).toBeTruthy();
    const sideA = screen.getByRole('region', { name: 'Side A, step 0' });
    const sideB = screen.getByRole('region', { name: 'Side B, step 120' });
    expect(within(sideA).getByText('not in list', { selector: 'span' })).toBeTruthy();
    expect(within(sideB).getByText(/in list \(1 of/)).toBeTruthy();
  });

  it('steps, goes to the ends and back to the divergence by keyboard', () => {
    render(<Harness pair={unlock} />);
    press('j');
    expect(currentRow()).toBe('4');
    press('Home');
    expect(currentRow()).toBe('1');
    press('End');
    expect(currentRow()).toBe('10');
    press('[');
    expect(currentRow()).toBe('3');
    press('k');
    press(']');
    expect(currentRow()).toBe('3');
  });

  it('shows the final state of a side that has ended', () => {
    render(<Harness pair={unlock} />);
    press('End');
    const sideB = screen.getByRole('region', { name: 'Side B, step 120' });
    expect(within(sideB).getByText('after the last turn')).toBeTruthy();
    expect(within(sideB).getByText('Won on turn 4.')).toBeTruthy();
  });

  it('swaps the sides and goes through the tasks of the probe', () => {
    render(<Harness pair={unlock} />);
    press('x');
    expect(swap).toHaveBeenCalledOnce();
    press('L');
    expect(choose).toHaveBeenLastCalledWith({ taskId: 'babyai/GoToObjDoor/1000000' });
    choose.mockClear();
    press('H');
    expect(choose).not.toHaveBeenCalled();
  });

  it('gives the samples of both sides with intervals, and compares no few of them', () => {
    const pair = {
      ...unlock,
      a: { ...unlock.a, samples: samplesOf(3, 8) },
      b: { ...unlock.b, samples: samplesOf(6, 8) },
    };
    render(<Harness pair={pair} />);
    expect(screen.getByText(/read this pair as a behaviour, not a rate/)).toBeTruthy();
    // Wilson 95 %: 3/8 is 13.7 to 69.4, 6/8 is 40.9 to 92.9.
    expect(screen.getByText('3/8 37.5 [13.7, 69.4]')).toBeTruthy();
    expect(screen.getByText('6/8 75.0 [40.9, 92.9]')).toBeTruthy();
    expect(screen.getByText(/n = 8, not compared/)).toBeTruthy();
  });

  it('says why a side is missing and which steps there are', () => {
    render(<Harness pair={{ ...unlock, b: { ...unlock.b, step: 7, played: null } }} />);
    expect(screen.getByText('Step 7 was not probed; probed steps: 0, 10, 120.')).toBeTruthy();
    expect(screen.getByText('Only one side was probed: nothing to compare.')).toBeTruthy();
  });

  it('shows by words what differs in the replies, and where nothing does', () => {
    render(<Harness pair={unlock} />);
    press('d');
    expect(screen.getByText('By words:', { exact: false })).toBeTruthy();
    expect(document.querySelector('del')?.textContent).toBeTruthy();
    expect(document.querySelector('ins')?.textContent).toBeTruthy();
    press('Home');
    expect(screen.getByText('No difference: the replies are the same, letter by letter.')).toBeTruthy();
  });

  it('shades tokens by what is chosen, and says what would record what is not there', () => {
    render(<Harness pair={withTokens(unlock)} />);
    const reply = () => within(screen.getByRole('region', { name: 'Side A, step 0' }));
    expect(reply().getByTitle('surprise, −ln p 1.50 nats')).toBeTruthy();
    press('v');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Tokens shaded by' }).value).toBe(
      'entropy',
    );
    expect(reply().getByTitle('entropy 0.70 nats')).toBeTruthy();
    press('v');
    expect(
      reply().getByText(/^advantage: Not recorded\. Only trajectories that an update was made from/),
    ).toBeTruthy();
  });

  it('lays another sample of the same checkpoint on a side', () => {
    const pair = { ...unlock, b: { ...unlock.b, samples: samplesOf(1, 2) } };
    render(<Harness pair={pair} />);
    fireEvent.change(screen.getByRole('combobox', { name: 'Trajectory of side B' }), {
      target: { value: 's1' },
    });
    expect(lay).toHaveBeenLastCalledWith('b', 's1');
  });

  it('sets the noise floor of each side beside the turn at which they part', () => {
    const noiseFloor = { samples: 8, pairs: 28, neverPart: 0, medianTurn: 2 };
    render(<Harness pair={{ ...unlock, a: { ...unlock.a, noiseFloor } }} />);
    expect(
      screen.getByText(
        /^A and B part at turn 3\. Noise floor.*A median turn 2 \(28 pairs of 8 samples\); B n\/a/,
      ),
    ).toBeTruthy();
  });

  it('tells what a waiting side does next', () => {
    // B does first what A does after one more turn.
    const [first, ...rest] = unlock.b.played?.trajectory.turns ?? [];
    if (!first || !unlock.b.played) throw new Error('side B was played');
    const idle = { ...first, action: 'check available actions' };
    const longer = { ...unlock.b.played.trajectory, turns: [idle, first, ...rest] };
    render(
      <Harness
        pair={{
          ...unlock,
          a: unlock.b,
          b: { ...unlock.b, step: 130, played: { id: 'x', trajectory: longer } },
        }}
      />,
    );
    const sideA = screen.getByRole('region', { name: 'Side A, step 120' });
    expect(sideA.textContent).toContain(
      'No turn in this row. Next, in row 2, is turn 1, shown here: turn left',
    );
  });
});

/** The pair with tokens at every turn of A. */
function withTokens(pair: Pair): Pair {
  if (!pair.a.played) return pair;
  const { id, trajectory } = pair.a.played;
  const tokens = { ids: [1, 2], texts: ['Action', ': go'], logprobs: [-1.5, null], entropies: [0.7, null] };
  const turns = trajectory.turns.map((turn) => ({ ...turn, tokens }));
  return { ...pair, a: { ...pair.a, played: { id, trajectory: { ...trajectory, turns } } } };
}
