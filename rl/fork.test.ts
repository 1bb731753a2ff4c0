import { describe, expect, it } from 'vitest';
import type { ChatMessage, SampledSequence, Tokenizer } from '@/contract/engine';
import type { Environment, Episode, Task } from './environments/environment';
import { rowsOf, rowsToData } from './learning/rows';
import { callsBefore, playEpisodes, type PlayRequest, type PlaySettings } from './play';
import type { PendingReply } from './reply';
import type { Scaffold } from './scaffolds/scaffold';

const END = 0;
const TASK: Task = { id: 'counting/1', taskType: 'count', split: 'train' };

/** A world that repeats what it was told and is won by the word `won`. */
const counting: Environment = {
  id: 'counting',
  version: '1',
  options: {},
  start(task): Episode {
    const actions: string[] = [];
    const observe = () => ({ text: `${actions.length}:${actions.join()};`, availableActions: [] });
    return {
      task,
      goal: 'count',
      observe,
      step(action) {
        if (action === 'break') throw new Error('the world breaks');
        actions.push(action);
        const success = action === 'won';
        const reward = actions.length;
        return {
          observation: observe(),
          reward,
          done: success,
          truncated: false,
          success,
          valid: action !== 'no',
        };
      },
      picture: () => null,
      stateHash: () => actions.join(),
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

/** A chat that only grows. */
const chat: Scaffold = {
  id: 'chat',
  history: 'extends',
  prompt: ({ past, observation }) => [
    ...past.flatMap(({ observation: seen, reply }): ChatMessage[] => [
      { role: 'user', content: seen.text },
      { role: 'assistant', content: reply },
    ]),
    { role: 'user', content: observation.text },
  ],
  parse: (reply) => ({ thought: null, action: reply, formatOk: true }),
};

function written(text: string): SampledSequence {
  const tokens = [...tokenizer.encode(text), END];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' };
}

/** Answers with one word after another, whoever asks. */
function saying(...words: string[]): PlaySettings<Task>['respond'] {
  return (pending) => Promise.resolve(pending.map(() => written(words.shift() ?? 'won')));
}

function settings(changes: Partial<PlaySettings<Task>> = {}): PlaySettings<Task> {
  return {
    environment: counting,
    scaffold: chat,
    tokenizer,
    stopTokens: [END],
    respond: saying('one', 'no', 'three'),
    lanes: 1,
    maxPromptTokens: 10_000,
    step: 1,
    phase: 'train',
    decoding: 'sampled',
    records: () => true,
    clock: () => 0,
    ...changes,
  };
}

const request = (changes: Partial<PlayRequest<Task>> = {}): PlayRequest<Task> => ({
  task: TASK,
  group: 0,
  sample: 0,
  seed: 1,
  ...changes,
});

async function play(changes: Partial<PlaySettings<Task>> = {}, requests = [request()]) {
  const { episodes } = await playEpisodes(requests, settings(changes));
  const [first] = episodes;
  if (!first) throw new Error('no episode was played');
  return { first, episodes };
}

describe('an episode that goes on from an earlier one', () => {
  it('has the earlier turns as they were, marked as given, and its own after them', async () => {
    const { first: origin } = await play();
    const from = callsBefore(origin, 2);
    const { episodes } = await play({ respond: saying('a', 'b') }, [
      request({ from, seed: 2 }),
      request({ from, seed: 3, sample: 1 }),
    ]);
    expect(origin.trajectory).toMatchObject({ turnsCount: 4, givenTurns: 0, reward: 10 });
    expect(origin.given).toEqual([]);
    for (const [i, word] of ['a', 'b'].entries()) {
      const { trajectory, given } = episodes[i] ?? origin;
      expect(trajectory.turns.map(({ action }) => action)).toEqual(['one', 'no', word, 'won']);
      expect(trajectory.turns.slice(0, 2)).toEqual(origin.trajectory.turns.slice(0, 2));
      expect(trajectory).toMatchObject({ turnsCount: 4, givenTurns: 2, reward: 10, invalidActions: 1 });
      expect(trajectory).toMatchObject({ success: true, stopReason: 'success' });
      expect(given).toEqual(from);
    }
  });

  it('continues the earlier ids exactly, and only its own turns are computed and trained on', async () => {
    const { first: origin } = await play();
    const from = callsBefore(origin, 2);
    const prompts: number[][] = [];
    const respond = (pending: readonly PendingReply[]) => {
      prompts.push(...pending.map(({ prompt }) => prompt));
      return Promise.resolve(pending.map(() => written('won')));
    };
    const { first: fork } = await play({ respond }, [request({ from })]);
    expect(prompts).toEqual([origin.calls[2]?.prompt]);
    expect(fork.calls.map(({ prompt }) => prompt)).toEqual(prompts);
    expect(fork.trajectory).toMatchObject({ promptTokens: prompts[0]?.length, replyTokens: 4 });
    const [row, ...others] = rowsOf(fork.calls, 1);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ prompt: prompts[0], reply: written('won').tokens });
    const [datum] = rowsToData(row ? [row] : [], 'token-mean');
    expect(datum?.lossFnInputs.advantages?.filter((advantage) => advantage !== 0)).toHaveLength(4);
  });

  it('draws each turn from its own seed, as if it had played the earlier ones', async () => {
    const { first: origin } = await play();
    const seedsOf = async (requests: PlayRequest<Task>[], ...words: string[]) => {
      const seeds: number[] = [];
      const answer = saying(...words);
      const respond = (pending: readonly PendingReply[], lane: number) => {
        seeds.push(...pending.map(({ seed }) => seed));
        return answer(pending, lane);
      };
      await play({ respond }, requests);
      return seeds;
    };
    const whole = await seedsOf([request()], 'one', 'no', 'three');
    const from = callsBefore(origin, 2);
    expect(await seedsOf([request({ from })], 'three')).toEqual(whole.slice(2));
    expect(await seedsOf([request({ from, seed: 9 })], 'three')).not.toEqual(whole.slice(2));
  });

  it('can be gone on from in turn', async () => {
    const { first: origin } = await play();
    const { first: fork } = await play({ respond: saying('a', 'b') }, [
      request({ from: callsBefore(origin, 1) }),
    ]);
    const { first: again } = await play({ respond: saying() }, [request({ from: callsBefore(fork, 2) })]);
    expect(again.trajectory.turns.map(({ action }) => action)).toEqual(['one', 'a', 'won']);
    expect(again.trajectory.givenTurns).toBe(2);
    expect(callsBefore(again, 2)).toEqual(again.given);
  });

  it('keeps a given strategy and memory and asks for neither again', async () => {
    const asked: string[] = [];
    const noting: Scaffold = {
      ...chat,
      history: 'rebuilt',
      prompt: ({ strategy, memory }) => [{ role: 'user', content: `${strategy}/${memory}` }],
      strategyCall: { prompt: () => [{ role: 'user', content: 'plan?' }], parse: (reply) => reply },
      memoryCall: {
        prompt: ({ past }) => [{ role: 'user', content: `${past.length}?` }],
        parse: (reply) => reply,
      },
    };
    const respond = (pending: readonly PendingReply[]) =>
      Promise.resolve(
        pending.map(({ prompt }) => {
          const text = tokenizer.decode(prompt);
          asked.push(text);
          return written(asked.length > 5 ? 'won' : `r${asked.length}`);
        }),
      );
    const { first: origin } = await play({ scaffold: noting, respond });
    expect(asked).toEqual(['plan?', 'r1/null', '1?', 'r1/r3', '2?', 'r1/r5']);
    asked.length = 0;
    const from = callsBefore(origin, 1);
    expect(from.map(({ call }) => call)).toEqual(['strategy', 'action', 'memory']);
    const { first: fork } = await play({ scaffold: noting, respond }, [request({ from })]);
    expect(asked.slice(0, 2)).toEqual(['r1/r3', '2?']);
    expect(fork.trajectory).toMatchObject({ strategy: 'r1', givenTurns: 1 });
    expect(fork.trajectory.turns[0]?.memory).toBe('r3');
  });

  it('is data where the world does not go along, or the earlier play had ended', async () => {
    const { first: origin } = await play();
    const { first: breaking } = await play({ respond: saying('break') });
    const [call] = breaking.calls;
    const { episodes } = await play({}, [
      request({ from: [...callsBefore(origin, 1), ...(call ? [call] : [])] }),
      request({ from: [...origin.calls, ...origin.calls] }),
    ]);
    expect(episodes.map(({ trajectory }) => [trajectory.stopReason, trajectory.error?.message])).toEqual([
      ['error', 'the world breaks'],
      ['error', 'counting/1: the play to go on from ends after 4 turns, more were given'],
    ]);
  });

  it('is not made of a turn that was not played', async () => {
    const { first: origin } = await play();
    expect(() => callsBefore(origin, 4)).toThrow('turn is 4, the episode has the turns 0 to 3');
    expect(() => callsBefore(origin, -1)).toThrow('turn is -1');
  });
});
