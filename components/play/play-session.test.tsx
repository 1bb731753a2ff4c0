import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { PlayConfig } from '@/contract/recipes/requested-work';
import type { PlayMoment, PlayState } from '@/contract/play';
import { useKeyListener } from '@/components/ui/key-map';
import { readCheckpoint, readDraft, requestOf } from './play-draft';
import { PlayView } from './play-session';

const asked = vi.fn<(url: string, body: { key: string; command: unknown }) => void>();
/** What the server answers, one request after another; then that it stored the command. */
let answers: Response[];
beforeEach(() => {
  answers = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    asked(url, JSON.parse(String(init?.body)) as { key: string; command: unknown });
    return Promise.resolve(answers.shift() ?? Response.json({ number: 1 }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.mockClear();
});

function configOf(world: object): PlayConfig {
  const {
    horizon: _h,
    reward: _r,
    advantage: _a,
    update: _u,
    recording: _c,
    rollout,
    ...settings
  } = GRPO_PRESETS.verify;
  const { groups: _g, groupSize: _s, ...sampling } = rollout;
  const work = { steps: 1, checkpoints: [{ runId: 'r-0001', step: 40 }], world };
  return PlayConfig.parse({ ...settings, ...work, rollout: sampling, decoding: 'sampled', idleMinutes: 15 });
}

const TASK = { kind: 'task', split: 'valid_seen', taskId: 'babyai/Open/1' };
const FIRST: PlayMoment = {
  command: 0,
  goal: 'open the door',
  observation: 'You see a door.',
  availableActions: ['turn left', 'toggle'],
  picture: null,
  turn: null,
  reward: 0,
  success: false,
  busy: false,
  over: false,
  refusal: null,
};

function aPlay(changes: Partial<PlayState> = {}, world: object = TASK): PlayState {
  return {
    runId: 'r-0009',
    status: 'running',
    reason: null,
    config: configOf(world),
    moments: [FIRST],
    lastCommand: 0,
    trajectoryId: null,
    position: 4,
    ...changes,
  };
}

function Harness({ state }: { state: PlayState }) {
  useKeyListener();
  return <PlayView state={state} />;
}

function show(state: PlayState): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Harness state={state} />
    </QueryClientProvider>,
  );
}

describe('a play by hand', () => {
  it('takes the offered action by its digit, and lets the model act by m', async () => {
    show(aPlay());
    expect(screen.getByRole('status').textContent).toBe('Your turn, or the model’s.');
    fireEvent.keyDown(document.body, { key: '2' });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    expect(asked.mock.calls[0]?.[0]).toBe('/api/v1/runs/r-0009/commands');
    expect(asked.mock.calls[0]?.[1].command).toEqual({ kind: 'act', action: 'toggle', thought: '' });
    fireEvent.click(screen.getByRole('button', { name: /^Let the model act/ }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
    expect(asked.mock.calls[1]?.[1].command).toEqual({ kind: 'let-model-act', turns: 1 });
  });

  it('sends a command that got no answer again under its key, and one that was refused no more', async () => {
    const refusal = 'run r-0009 takes no more commands: its episode is over';
    answers = [
      new Response('', { status: 503 }),
      Response.json({ error: { code: 'conflict', message: refusal, issues: [] } }, { status: 409 }),
    ];
    show(aPlay());
    fireEvent.keyDown(document.body, { key: '2' });
    expect(await screen.findByText(refusal, {}, { timeout: 5000 })).toBeTruthy();
    expect(asked).toHaveBeenCalledTimes(2);
    expect(new Set(asked.mock.calls.map(([, { key }]) => key)).size).toBe(1);
  });

  it.each<[string, Partial<PlayState>, string]>([
    [
      'waits for a worker',
      { status: 'queued', reason: 'Waiting: worker one is busy with run r-0002', moments: [] },
      'Waiting: worker one is busy with run r-0002',
    ],
    ['loads', { status: 'starting', moments: [] }, 'A worker loads the checkpoint.'],
    ['thinks', { lastCommand: 1 }, 'The model is thinking.'],
    ['is lost', { status: 'lost' }, 'No heartbeat for a lease.'],
    ['is over', { status: 'finished', moments: [{ ...FIRST, over: true, success: true }] }, 'Won.'],
  ])('says that it %s, and takes no turn meanwhile', (_, changes, words) => {
    show(aPlay(changes));
    expect(screen.getByRole('status').textContent).toContain(words);
    fireEvent.keyDown(document.body, { key: '2' });
    expect(asked).not.toHaveBeenCalled();
  });

  it('says that it failed and why, as a failure, and takes no turn', () => {
    const reason = 'recipe: valid_seen of babyai has no task babyai/Nowhere/1';
    show(aPlay({ status: 'failed', reason, moments: [] }));
    const note = screen.getByRole('alert');
    expect(note.textContent).toBe(`The play failed. ${reason}`);
    expect(note.querySelector('.lucide-circle-x')).toBeTruthy();
    expect(document.querySelector('.lucide-circle-check')).toBeNull();
  });

  it('that was stopped before its end is no success', () => {
    show(aPlay({ status: 'stopped', reason: 'stopped on request' }));
    expect(screen.getByRole('status').textContent).toBe('The play was stopped. stopped on request');
    expect(document.querySelector('.lucide-circle-check')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Let the model act/ })).toBeNull();
  });

  it('shows what was said and answered, who said it, and why a command was refused', () => {
    const turn = {
      index: 0,
      observation: 'You see a door.',
      availableActions: [],
      prompt: null,
      reply: 'Action: toggle',
      thought: null,
      action: 'toggle',
      formatOk: true,
      admissible: true,
      valid: false,
      reward: 0,
      memory: null,
      promptTokens: 9,
      replyTokens: 3,
      by: 'person' as const,
    };
    const refused = { ...FIRST, command: 2, turn, observation: 'Nothing happens.', refusal: 'no such word' };
    show(aPlay({ moments: [FIRST, { ...refused, command: 1, refusal: null }, refused], lastCommand: 2 }));
    expect(screen.getByText('1, you')).toBeTruthy();
    expect(screen.getByText('action “toggle”, refused, reward 0.000, 3 tokens')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Not done: no such word');
  });

  it('shows the model pasted observations with the actions that they offer', async () => {
    show(aPlay({}, { kind: 'pasted', goal: 'find it' }));
    fireEvent.change(screen.getByLabelText('Observation'), { target: { value: 'A hall.' } });
    fireEvent.change(screen.getByLabelText('Available actions'), { target: { value: 'go in\n\n go out ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show it to the model' }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    expect(asked.mock.calls[0]?.[1].command).toEqual({
      kind: 'show',
      observation: 'A hall.',
      availableActions: ['go in', 'go out'],
    });
  });
});

describe('what is asked for', () => {
  const draft = (search: string) => requestOf(readDraft(new URLSearchParams(search)));

  it('is read from the address', () => {
    expect(readCheckpoint('r-0001@40')).toEqual({ runId: 'r-0001', step: 40 });
    expect(readCheckpoint('r-0001')).toBeNull();
    expect(draft('c=r-0001@40&task=babyai/Open/1&turns=5')).toEqual({
      request: {
        checkpoint: { runId: 'r-0001', step: 40 },
        world: { kind: 'task', split: 'valid_seen', taskId: 'babyai/Open/1' },
        turns: 5,
        decoding: 'sampled',
        temperature: undefined,
        idleMinutes: 15,
      },
    });
    expect(draft('c=r-0001@0&world=pasted&goal=win')).toMatchObject({
      request: { world: { kind: 'pasted', goal: 'win' } },
    });
  });

  it('is refused field by field', () => {
    expect(draft('c=r-0001&turns=0')).toEqual({
      issues: {
        checkpoint: 'expected RUN@STEP, for instance r-0001@40',
        task: expect.any(String) as string,
        turns: expect.any(String) as string,
      },
    });
  });
});
