import { describe, expect, it } from 'vitest';
import type { ChatMessage, SampledSequence, Tokenizer } from '@/contract/engine';
import type { GridPicture } from '@/contract/trajectory';
import type { Environment, Episode, Task } from './environments/environment';
import { playEpisodes, type PlayRequest, type PlaySettings } from './play';
import type { PendingReply } from './reply';
import { recentActions } from './scaffolds/recent-actions';
import type { Scaffold } from './scaffolds/scaffold';

const END = 0;
const OFFERED = ['wait', 'leave'];

const picture: GridPicture = {
  kind: 'grid',
  width: 1,
  height: 1,
  objects: [],
  agent: { x: 0, y: 0, direction: 'up' },
  carrying: null,
  visible: '1',
};

interface Waiting extends Task {
  /** Turns after which the episode is won; negative: it fails in that turn with an error. */
  length: number;
}

/** A world in which one waits until it is over. */
const waiting: Environment<Waiting> = {
  id: 'waiting',
  version: '1',
  options: {},
  start(task): Episode<Waiting> {
    let turns = 0;
    const actions: string[] = [];
    const observation = { text: 'You wait.', availableActions: OFFERED };
    return {
      task,
      goal: 'wait',
      observe: () => observation,
      step(action) {
        turns++;
        actions.push(action);
        if (turns === -task.length) throw new Error('the floor gives way');
        const done = turns === task.length;
        const valid = OFFERED.includes(action);
        return { observation, reward: done ? 1 : 0, done, truncated: false, success: done, valid };
      },
      picture: () => picture,
      stateHash: () => String(turns),
      snapshot: () => ({ task, actions }),
    };
  },
};

/** A token is a UTF-16 code unit; 0 ends a reply. */
const tokenizer: Tokenizer = {
  vocabularySize: 65_536,
  encode: (text) => [...text].map((character) => character.charCodeAt(0)),
  decode: (ids) => String.fromCharCode(...ids),
  specialId: () => END,
  renderChat: (messages) =>
    messages.map(({ role, content }) => (role === 'assistant' ? `${content}\0` : content)).join(''),
  encodeChat: (messages) => tokenizer.encode(tokenizer.renderChat(messages)),
};

function written(text: string): SampledSequence {
  const tokens = [...tokenizer.encode(text), END];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' };
}

function request(length: number, changes: Partial<PlayRequest<Waiting>> = {}): PlayRequest<Waiting> {
  const task = { id: `waiting/${length}`, taskType: 'wait', split: 'train' as const, length };
  return { task, group: null, sample: 0, seed: length, ...changes };
}

function settings(changes: Partial<PlaySettings<Waiting>> = {}): PlaySettings<Waiting> {
  return {
    environment: waiting,
    scaffold: recentActions(2),
    tokenizer,
    stopTokens: [END],
    respond: (pending) => Promise.resolve(pending.map(() => written('Action: wait'))),
    lanes: 1,
    maxPromptTokens: 10_000,
    step: 3,
    phase: 'train',
    decoding: 'sampled',
    records: () => true,
    clock: () => 0,
    ...changes,
  };
}

describe('played episodes', () => {
  it('come in the order of the requests, each with a turn a reply', async () => {
    const { episodes } = await playEpisodes([request(3), request(1), request(2)], settings({ lanes: 2 }));
    expect(episodes.map(({ trajectory }) => trajectory.turnsCount)).toEqual([3, 1, 2]);
    expect(episodes.map(({ trajectory }) => trajectory.stopReason)).toEqual([
      'success',
      'success',
      'success',
    ]);
    expect(episodes.map(({ calls }) => calls.length)).toEqual([3, 1, 2]);
  });

  it('take their turns together, a group on one lane', async () => {
    const batches: [lane: number, size: number][] = [];
    const respond = (pending: readonly PendingReply[], lane: number) => {
      batches.push([lane, pending.length]);
      return settings().respond(pending, lane);
    };
    const requests = [
      request(2, { group: 0 }),
      request(1, { group: 1 }),
      request(1, { group: 0, sample: 1 }),
    ];
    await playEpisodes(requests, settings({ lanes: 2, respond }));
    expect(batches.filter(([lane]) => lane === 0)).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(batches.filter(([lane]) => lane === 1)).toEqual([[1, 1]]);
  });

  it('are shown as they begin before any reply is asked for, those aside that could not start', async () => {
    const said: string[] = [];
    const environment: Environment<Waiting> = {
      ...waiting,
      start: (task) => {
        if (task.length === 9) throw new Error('no room');
        return waiting.start(task);
      },
    };
    const checkOpenings: PlaySettings<Waiting>['checkOpenings'] = (openings) => {
      for (const { task, observation } of openings) said.push(`${task.id}: ${observation.text}`);
      throw new Error('not as it should be');
    };
    const respond = () => Promise.reject(new Error('asked for a reply'));
    const play = playEpisodes([request(1), request(9)], settings({ environment, checkOpenings, respond }));
    await expect(play).rejects.toThrow('not as it should be');
    expect(said).toEqual(['waiting/1: You wait.']);
  });

  it('draw every turn from a seed of its own', async () => {
    const seeds: number[] = [];
    const respond = (pending: readonly PendingReply[], lane: number) => {
      seeds.push(...pending.map(({ seed }) => seed));
      return settings().respond(pending, lane);
    };
    await playEpisodes([request(3), request(2)], settings({ respond }));
    expect(new Set(seeds).size).toBe(5);
  });

  it('hold replies without the id that ended them, and count it as a token', async () => {
    const respond = (pending: readonly PendingReply[]) =>
      Promise.resolve(pending.map(() => written('Action: jump')));
    const { episodes } = await playEpisodes([request(1)], settings({ respond }));
    const [turn] = episodes[0]?.trajectory.turns ?? [];
    expect(turn).toMatchObject({ reply: 'Action: jump', action: 'jump', formatOk: true, admissible: false });
    expect(turn).toMatchObject({ valid: false, replyTokens: 13, stateHash: '0' });
    expect(episodes[0]?.trajectory.invalidActions).toBe(1);
  });

  it('keep no pictures, hashes and tokens where they are not recorded', async () => {
    const { episodes } = await playEpisodes([request(1)], settings({ records: () => false }));
    expect(episodes[0]?.trajectory.turns[0]).toMatchObject({ picture: null, stateHash: null, tokens: null });
    expect(episodes[0]?.trajectory.finalPicture).toBeNull();
  });

  it('are data where the environment fails, and the others go on', async () => {
    const { episodes } = await playEpisodes([request(-2), request(3)], settings());
    expect(episodes[0]?.trajectory).toMatchObject({
      turnsCount: 2,
      success: false,
      stopReason: 'error',
      error: { stage: 'environment step', message: 'the floor gives way' },
      invalidActions: 0,
    });
    // A turn without an answer was not refused.
    expect(episodes[0]?.trajectory.turns.map(({ valid }) => valid)).toEqual([true, true]);
    expect(episodes[1]?.trajectory).toMatchObject({ turnsCount: 3, success: true, error: null });
  });

  it('are data where the environment does not start, with no turn and the reason', async () => {
    const environment: Environment<Waiting> = {
      ...waiting,
      start: (task) => (task.length === 2 ? Promise.reject(new Error('no such place')) : waiting.start(task)),
    };
    const { episodes } = await playEpisodes([request(2), request(1)], settings({ environment }));
    expect(episodes[0]?.trajectory).toMatchObject({
      turnsCount: 0,
      stopReason: 'error',
      error: { stage: 'environment start', message: 'no such place' },
    });
    expect(episodes[1]?.trajectory.success).toBe(true);
  });

  it('end where a prompt would be longer than allowed', async () => {
    const { episodes } = await playEpisodes([request(3)], settings({ maxPromptTokens: 10 }));
    expect(episodes[0]?.trajectory).toMatchObject({ turnsCount: 0, stopReason: 'context_limit' });
  });

  it('give back what an environment holds, and stand where that fails', async () => {
    const closed: string[] = [];
    const environment: Environment<Waiting> = {
      ...waiting,
      async start(task) {
        const episode = await waiting.start(task);
        const close = (): Promise<void> => {
          closed.push(task.id);
          return task.length === 2 ? Promise.reject(new Error('gone')) : Promise.resolve();
        };
        return { ...episode, close };
      },
    };
    const { episodes } = await playEpisodes([request(1), request(2)], settings({ environment }));
    expect(closed.sort()).toEqual(['waiting/1', 'waiting/2']);
    expect(episodes.map(({ trajectory }) => trajectory.flags)).toEqual([[], ['close_failed']]);
    expect(episodes[1]?.trajectory.success).toBe(true);
  });

  it('end alone where their state cannot be shown, and stand where only the last state cannot', async () => {
    const breaking = (length: number): Environment<Waiting> => ({
      ...waiting,
      async start(task) {
        const episode = await waiting.start(task);
        const stateHash = () => {
          if (Number(episode.stateHash()) >= length && task.length === 2) throw new Error('no state');
          return episode.stateHash();
        };
        return { ...episode, stateHash };
      },
    });
    const requests = [request(2), request(3)];
    const early = await playEpisodes(requests, settings({ environment: breaking(1) }));
    expect(early.episodes[0]?.trajectory).toMatchObject({
      turnsCount: 2,
      success: false,
      stopReason: 'error',
      error: { stage: 'environment state', message: 'no state' },
    });
    expect(early.episodes[1]?.trajectory.success).toBe(true);
    const late = await playEpisodes(requests, settings({ environment: breaking(2) }));
    expect(late.episodes[0]?.trajectory).toMatchObject({ success: true, error: null, finalPicture: null });
  });

  it('are closed where the engine fails', async () => {
    const closed: string[] = [];
    const environment: Environment<Waiting> = {
      ...waiting,
      async start(task) {
        const close = (): Promise<void> => Promise.resolve(void closed.push(task.id));
        return { ...(await waiting.start(task)), close };
      },
    };
    const respond = () => Promise.reject(new Error('the engine is gone'));
    await expect(playEpisodes([request(1)], settings({ environment, respond }))).rejects.toThrow('is gone');
    expect(closed).toEqual(['waiting/1']);
  });

  it('continue the sampled ids, never re-encoded, where history extends', async () => {
    const chat: Scaffold = {
      id: 'chat',
      history: 'extends',
      prompt: ({ past }) => [
        { role: 'user', content: 'go' },
        ...past.flatMap(({ reply }): ChatMessage[] => [
          { role: 'assistant', content: reply },
          { role: 'user', content: 'on' },
        ]),
      ],
      parse: (reply) => ({ thought: null, action: reply, formatOk: true }),
    };
    const respond = (pending: readonly PendingReply[]) => Promise.resolve(pending.map(() => written('wait')));
    const { episodes } = await playEpisodes([request(3)], settings({ scaffold: chat, respond }));
    const prompts = episodes[0]?.calls.map(({ prompt }) => tokenizer.decode(prompt));
    expect(prompts).toEqual(['go', 'gowait\0on', 'gowait\0onwait\0on']);
  });

  it('hold the strategy and the memory their scaffold had written, and what those calls cost', async () => {
    const noting: Scaffold = {
      ...recentActions(0),
      prompt: ({ strategy, memory }) => [{ role: 'user', content: `${strategy}/${memory}` }],
      strategyCall: { prompt: () => [{ role: 'user', content: 'plan?' }], parse: (reply) => reply },
      memoryCall: {
        prompt: ({ past }) => [{ role: 'user', content: `recall ${past.length}?` }],
        parse: (reply) => (reply === 'recall 2?' ? null : reply),
      },
    };
    // Every call but the acting ones is answered with its own prompt.
    const respond = (pending: readonly PendingReply[]) =>
      Promise.resolve(
        pending.map(({ prompt }) => {
          const text = tokenizer.decode(prompt);
          return written(text.endsWith('?') ? text : 'Action: wait');
        }),
      );
    const { episodes } = await playEpisodes([request(3)], settings({ scaffold: noting, respond }));
    const [played] = episodes;
    expect(played?.calls.map(({ call, prompt }) => [call, tokenizer.decode(prompt)])).toEqual([
      ['strategy', 'plan?'],
      ['action', 'plan?/null'],
      ['memory', 'recall 1?'],
      ['action', 'plan?/recall 1?'],
      ['memory', 'recall 2?'],
      ['action', 'plan?/recall 1?'],
    ]);
    expect(played?.trajectory).toMatchObject({ strategy: 'plan?', flags: ['memory_format_error'] });
    expect(played?.trajectory.turns.map(({ memory }) => memory)).toEqual(['recall 1?', 'recall 1?', null]);
    expect(played?.trajectory.promptTokens).toBe(5 + 10 + 9 + 15 + 9 + 15);
  });

  it('say what of their prompts was computed for them, where the engine says it of every call', async () => {
    const counting = (share: (place: number, prompt: number[]) => number | undefined) => {
      const respond = (pending: readonly PendingReply[]) =>
        Promise.resolve(
          pending.map(({ prompt }, place) => ({
            ...written('Action: wait'),
            prefilledTokens: share(place, prompt),
          })),
        );
      return playEpisodes([request(2), request(2, { sample: 1 })], settings({ respond }));
    };
    const { episodes } = await counting((place, prompt) => (place === 0 ? prompt.length : 0));
    const [first, second] = episodes.map(({ trajectory }) => trajectory);
    expect(first?.prefilledTokens).toBe(first?.promptTokens);
    expect(second).toMatchObject({ prefilledTokens: 0, promptTokens: first?.promptTokens });
    const { episodes: half } = await counting((place) => (place === 0 ? undefined : 1));
    expect(half.map(({ trajectory }) => trajectory.prefilledTokens)).toEqual([null, 2]);
  });

  it('are refused where an engine answers with another number of replies', async () => {
    const respond = () => Promise.resolve([written('Action: wait')]);
    await expect(playEpisodes([request(1), request(1)], settings({ respond }))).rejects.toThrow(
      'expected 2 replies of lane 0, got 1',
    );
  });
});
