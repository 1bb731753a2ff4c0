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
});
