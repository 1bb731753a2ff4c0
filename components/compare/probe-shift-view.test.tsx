import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BehaviourCounts, ProbeShift } from '@/contract/pair';
import { useKeyListener } from '@/components/ui/key-map';
import { ProbeShiftView } from './probe-shift-view';
import type { TaskChange } from './task-change';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }) }));

const counts: BehaviourCounts = {
  trajectories: 1,
  errored: 0,
  successes: 0,
  oneShot: 0,
  turns: 10,
  listedTurns: 10,
  grounded: 2,
  invalid: 8,
  noOp: 0,
  judgedTurns: 9,
  looping: 1,
};
const lost = { id: '1', stopReason: 'turn_limit' as const, error: null, ...counts };
const won = {
  ...lost,
  id: '2',
  stopReason: 'success' as const,
  successes: 1,
  turns: 4,
  grounded: 4,
  listedTurns: 4,
  invalid: 0,
  looping: 0,
};
const task = { taskType: 'open', firstDivergence: 3 };
const shift: ProbeShift = {
  runId: 'r1',
  runName: 'a run',
  steps: [0, 10],
  a: 0,
  b: 10,
  tasks: [
    {
      ...task,
      taskId: 'open/1',
      goal: 'open the red door',
      a: { greedy: { ...lost, errored: 1 }, samples: { ...counts, trajectories: 8, successes: 1 } },
      b: { greedy: won, samples: { ...counts, trajectories: 8, successes: 7 } },
    },
    {
      ...task,
      taskId: 'open/2',
      goal: 'open the blue door',
      a: { greedy: lost, samples: null },
      b: { greedy: null, samples: null },
    },
  ],
};
const onChange = vi.fn();
const choose = vi.fn();

function Harness({ change = null }: { change?: TaskChange | null }) {
  useKeyListener();
  return (
    <ProbeShiftView
      shift={shift}
      lastStep={20}
      of="greedy"
      change={change}
      onChange={onChange}
      choose={choose}
    />
  );
}
const press = (key: string) => fireEvent.keyDown(document.body, { key });
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  for (const mock of [push, onChange, choose]) mock.mockClear();
});

describe('a probe at two steps', () => {
  it('says of each task what changed, with its marks, its samples and where it parts', () => {
    render(<Harness />);
    const row = screen.getByRole('row', { name: /open the red door/ });
    for (const words of ['gained', '1/8 → 7/8', '10 turns · 8 not in list · 8 refused · loop', '3'])
      expect(within(row).getByText(words)).toBeTruthy();
    const lone = screen.getByRole('row', { name: /open the blue door/ });
    expect(within(lone).getByText('one step only')).toBeTruthy();
    expect(within(lone).getByText('not probed')).toBeTruthy();
    expect(screen.getByText(/1 task was played at one step only/)).toBeTruthy();
    expect(screen.getByText(/^The newest checkpoint, step 20, was not probed/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Compare both steps' }).getAttribute('href')).toBe(
      '/compare?c=r1%400&c=r1%4010',
    );
    expect(screen.getByText(/^1 of 2 trajectories were ended by an error, 1 of A and 0 of B/)).toBeTruthy();
  });

  it('opens the pair of the selected task by keyboard', () => {
    render(<Harness />);
    press('j');
    press('Enter');
    expect(push).toHaveBeenLastCalledWith('/runs/r1/pair?task=open%2F2&a=0&b=10');
    press('k');
    press('p');
    expect(push).toHaveBeenLastCalledWith('/runs/r1/pair?task=open%2F1&a=0&b=10');
  });

  it('swaps its steps and looks at samples', () => {
    render(<Harness />);
    press('x');
    expect(choose).toHaveBeenLastCalledWith({ a: 10, b: 0 });
    press('s');
    expect(onChange).toHaveBeenLastCalledWith({ of: 'samples' });
  });

  it('shows tasks of one kind of change, and words where there are none', () => {
    render(<Harness change="lost" />);
    expect(screen.getByText(/No task of this kind/)).toBeTruthy();
  });
});
