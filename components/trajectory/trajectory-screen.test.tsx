import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrajectoryDetail } from '@/contract/api';
import { KEPT_CHARACTERS } from '@/contract/trajectory-cut';
import { aTrajectory, aTurn } from './trajectory-factory';
import { TrajectoryScreen } from './trajectory-screen';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
}));

// jsdom lays nothing out, so it has nothing to scroll.
Element.prototype.scrollIntoView = () => undefined;

const COUNT = 900;
const tokens = {
  ids: Array.from({ length: COUNT }, (_, index) => index),
  texts: Array.from({ length: COUNT }, (_, index) => `w${index} `),
  logprobs: Array.from({ length: COUNT }, () => -1),
};
const whole = [
  aTurn({ index: 0, reply: tokens.texts.join(''), tokens, replyTokens: COUNT }),
  aTurn({ index: 1, observation: `${'x'.repeat(KEPT_CHARACTERS)} the answer` }),
];

let asked: string[];
let detail: TrajectoryDetail;
/** Lets the server answer turns. */
let answerTurns: () => void;

beforeEach(() => {
  asked = [];
  const turns = whole.map((turn) => ({
    ...turn,
    tokens: null,
    observation: turn.observation.slice(0, KEPT_CHARACTERS),
    reply: turn.reply.slice(0, KEPT_CHARACTERS),
  }));
  detail = {
    id: '7',
    runId: 'r-0001',
    runName: 'a run',
    attempt: 1,
    trajectory: aTrajectory({ turns }),
    siblings: [],
    cut: [
      { index: 0, characters: 9870, tokens: COUNT, meanLogprob: -1 },
      { index: 1, characters: 2011, tokens: 0, meanLogprob: null },
    ],
  };
  const answered = new Promise<void>((resolve) => {
    answerTurns = resolve;
  });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    const index = /turns\/(\d+)$/.exec(address)?.[1];
    if (index === undefined) return Response.json(detail);
    await answered;
    return Response.json(whole[Number(index)]);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show(): Promise<void> {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TrajectoryScreen trajectoryId="7" />
    </QueryClientProvider>,
  );
  await act(() => Promise.resolve());
}

const shownTokens = () => screen.queryAllByText(/^w\d+$/).length;

describe('a long transcript', () => {
  it('says how large a turn is while it is read, then shows it with the answer to it', async () => {
    await show();
    expect((await screen.findByText(/^Reading the whole turn/)).textContent).toBe(
      'Reading the whole turn: 9,870 characters, 900 tokens.',
    );
    expect(screen.getByRole('img', { name: /^Mean surprise of 2 turns/ })).toBeTruthy();
    answerTurns();
    await screen.findByText('w0');
    expect(screen.queryByText(/^Reading the whole turn/)).toBeNull();
    expect(screen.getByText(/x the answer$/)).toBeTruthy();
    expect(asked.map((url) => url.replace('/api/v1', ''))).toEqual([
      '/trajectories/7?cut=true',
      '/trajectories/7/turns/0',
      '/trajectories/7/turns/1',
    ]);
  });

  it('shows the beginning of a long reply, and all of it when asked', async () => {
    answerTurns();
    await show();
    await screen.findByText('w0');
    expect(shownTokens()).toBe(800);
    fireEvent.click(screen.getByRole('button', { name: '800 of 900 tokens shown. Show all' }));
    await waitFor(() => expect(shownTokens()).toBe(COUNT), { timeout: 20_000 });
    expect(screen.queryByRole('button', { name: /tokens shown/ })).toBeNull();
  });

  it('is no short one, which is read at once', async () => {
    detail = { ...detail, trajectory: aTrajectory({ turns: whole }), cut: undefined };
    await show();
    await screen.findByText('w0');
    expect(asked).toHaveLength(1);
  });
});
