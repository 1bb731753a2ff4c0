import { useState } from 'react';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TrajectoryDetail } from '@/contract/api';
import type { Trajectory } from '@/contract/trajectory';
import { recordPair, SCRIPTS } from '@/e2e/fixtures/record-pair';
import { useKeyListener } from '@/components/ui/key-map';
import { aSummary, aTrajectory, aTurn } from './trajectory-factory';
import { TrajectoryView, type TrajectoryViewState } from './trajectory-view';

const looping = recordPair(SCRIPTS.unlock).a.played?.trajectory ?? aTrajectory();

function detailOf(trajectory: Trajectory): TrajectoryDetail {
  return {
    id: '1',
    runId: 'r',
    runName: 'run',
    attempt: 1,
    trajectory,
    siblings: [aSummary('2', { sample: 1 })],
  };
}

const visit = vi.fn();
function Harness({ trajectory }: { trajectory: Trajectory }) {
  useKeyListener();
  const [state, setState] = useState<TrajectoryViewState>({
    position: 0,
    open: true,
    list: true,
    heat: 'logprob',
  });
  return (
    <TrajectoryView
      detail={detailOf(trajectory)}
      state={state}
      onState={(changes) => setState((before) => ({ ...before, ...changes }))}
      visit={visit}
    />
  );
}
const show = (trajectory: Trajectory) => render(<Harness trajectory={trajectory} />);
const press = (key: string) => fireEvent.keyDown(document.body, { key });
const heading = () => screen.getByRole('heading', { name: /State before turn|Final state/ }).textContent;

// jsdom lays nothing out, so it has nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  visit.mockClear();
  vi.useRealTimers();
});

describe('trajectory by keyboard', () => {
  it('steps on and back and stays within the trajectory', () => {
    show(looping);
    press('k');
    expect(heading()).toBe('State before turn 1');
    press('j');
    press('ArrowDown');
    expect(heading()).toBe('State before turn 3');
    press('Home');
    expect(heading()).toBe('State before turn 1');
  });

  it('ends with the final state and why the episode stopped', () => {
    show(looping);
    press('End');
    press('j');
    expect(heading()).toBe('Final state');
    expect(screen.getByText(/Stopped by the turn limit after turn 10, without success\./)).toBeTruthy();
  });

  it('goes to the next mark, which is the first action that is not in the list', () => {
    show(looping);
    press('n');
    expect(heading()).toBe('State before turn 3');
    expect(screen.getAllByText('not in list').length).toBeGreaterThan(0);
    expect(screen.getByText('1 of 8 in a row, state unchanged')).toBeTruthy();
    expect(screen.getAllByTitle('loop of one turn, 8 times')).toHaveLength(1);
  });

  it('closes and opens the shown turn, and hides its list', () => {
    show(looping);
    const list = () => screen.queryByRole('list', { name: 'Available actions' });
    expect(list()).toBeTruthy();
    press('a');
    expect(list()).toBeNull();
    expect(screen.getByText('Environment answers')).toBeTruthy();
    press('Enter');
    expect(screen.queryByText('Environment answers')).toBeNull();
  });

  it('visits the next sample', () => {
    show(looping);
    press('L');
    expect(visit).toHaveBeenCalledWith('/trajectories/2');
  });

  it('pauses where the reader steps by key or by hand', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    show(looping);
    const steps = [
      () => press('j'),
      () => fireEvent.click(screen.getByRole('button', { name: 'Next turn' })),
    ];
    for (const byReader of steps) {
      press('Home');
      press(' ');
      act(() => void vi.advanceTimersToNextTimer());
      byReader();
      expect(heading()).toBe('State before turn 3');
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('plays turn by turn and stops at the end', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    show(aTrajectory({ turns: [aTurn(), aTurn({ index: 1 })] }));
    press(' ');
    expect(screen.getByRole('button', { name: 'Pause' })).toBeTruthy();
    act(() => void vi.advanceTimersToNextTimer());
    expect(heading()).toBe('State before turn 2');
    act(() => void vi.advanceTimersToNextTimer());
    expect(heading()).toBe('Final state');
    expect(screen.getByRole('button', { name: 'Play' })).toBeTruthy();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what a turn shows', () => {
  it('marks the action taken within the offered ones and its place among them', () => {
    show(looping);
    const list = screen.getByRole('list', { name: 'Available actions' });
    const place = looping.turns[0]?.availableActions.indexOf('turn left') ?? -1;
    expect(within(list).getByText('(taken)', { exact: false }).parentElement?.textContent).toContain(
      'turn left',
    );
    expect(
      screen.getByText(`in list (${place + 1} of ${looping.turns[0]?.availableActions.length})`),
    ).toBeTruthy();
  });

  it('says in words that a reply held no single action', () => {
    show(aTrajectory({ turns: [aTurn({ formatOk: false, admissible: false, valid: false, action: '' })] }));
    expect(screen.getAllByText('no single action in the reply').length).toBe(2);
  });

  it('shows what a model wrote as text: markup stays letters, escapes are spelt out', () => {
    const reply = '<img src=x onerror=alert(1)> \u001b[31mred';
    const { container } = show(aTrajectory({ turns: [aTurn({ reply })] }));
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getByText(/<img src=x onerror=alert\(1\)>/)).toBeTruthy();
    expect(screen.getByText('ESC').title).toBe('control character');
  });

  it('says that a picture cannot be read, and that none was recorded', () => {
    show(aTrajectory({ turns: [aTurn({ picture: '9;nonsense' }), aTurn({ index: 1 })] }));
    expect(screen.getByText('The picture of the state cannot be read.')).toBeTruthy();
    press('j');
    expect(screen.getByText('Not recorded.')).toBeTruthy();
  });

  it('shows the strategy of the trajectory and the memory after a turn where the agent keeps them', () => {
    show(aTrajectory({ strategy: 'Look <b>first</b>.', turns: [aTurn({ memory: 'The door is shut.' })] }));
    const textOf = (label: string) =>
      screen.getByRole('heading', { name: label }).closest('div')?.nextSibling;
    expect(textOf('Strategy, written before the first turn')?.textContent).toBe('Look <b>first</b>.');
    expect(textOf('Memory after the turn')?.textContent).toBe('The door is shut.');
    cleanup();
    show(aTrajectory());
    expect(screen.queryByText(/^Strategy|^Memory/)).toBeNull();
  });

  it('has no verdict on a list where the environment lists no actions', () => {
    const unlisted = { availableActions: [], admissible: false };
    show(
      aTrajectory({
        turns: [
          aTurn({ ...unlisted, stateHash: '1' }),
          aTurn({ ...unlisted, index: 1, valid: false, stateHash: '2' }),
        ],
      }),
    );
    expect(screen.getByText('Available actions, n/a')).toBeTruthy();
    expect(screen.getByText('The environment lists none.')).toBeTruthy();
    expect(screen.getByText('in list: n/a, none listed')).toBeTruthy();
    expect(screen.queryByText(/not in list/)).toBeNull();
    press('n');
    expect(heading()).toBe('State before turn 2');
    expect(screen.getByText('refused; in list: n/a, none listed')).toBeTruthy();
  });

  it('says that the context limit ended an episode', () => {
    show(aTrajectory({ stopReason: 'context_limit' }));
    expect(screen.getByText(/Stopped by the context limit after turn 1, without success/)).toBeTruthy();
    expect(screen.getAllByText('context limit').length).toBeGreaterThan(0);
  });

  it('names the error that ended an episode', () => {
    const error = { stage: 'environment step', message: 'no such door' };
    show(aTrajectory({ stopReason: 'error', error }));
    expect(screen.getByText(/Stopped by an error in environment step on turn 1: no such door/)).toBeTruthy();
  });
});
