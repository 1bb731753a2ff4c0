import { describe, expect, it } from 'vitest';
import type { Task } from '@/rl/environments/environment';
import { hashSeed } from '@/rl/random';
import { groupRequests, trajectoriesOf } from './groups';
import type { PlayedEpisode } from '@/rl/play';
import type { PlayedTrajectory, PlayedTurn } from '@/contract/trajectory';

const aTask = (id: string): Task => ({ id, taskType: 'open', split: 'train' });
const [door, key] = [aTask('door/1'), aTask('key/1')];
const settings = { seed: 7, step: 3, groupSize: 2 };

describe('the requests of a step', () => {
  it('are numbered on from the groups before them', () => {
    const requests = groupRequests([door, key], [key], settings);
    expect(requests.map(({ group, sample }) => [group, sample])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
  });

  it('differ in seed where a task comes again, in a batch or in a later one', () => {
    const both = [
      ...groupRequests([door, door], [], settings),
      ...groupRequests([door], [door, door], settings),
    ];
    expect(new Set(both.map(({ seed }) => seed)).size).toBe(6);
  });

  it('have the seeds of runs recorded earlier where no task comes again', () => {
    const seeds = groupRequests([door, key], [], settings).map(({ seed }) => seed);
    expect(seeds).toEqual(
      [door, key].flatMap(({ id }) => [0, 1].map((sample) => hashSeed(7, 'train', 2, id, sample))),
    );
  });
});

describe('what is recorded of a step', () => {
  const turnOf = (index: number): PlayedTurn => ({
    index,
    observation: '',
    availableActions: [],
    prompt: null,
    reply: 'go',
    thought: null,
    action: 'go',
    formatOk: true,
    admissible: true,
    valid: true,
    reward: 0,
    memory: null,
    promptTokens: 1,
    replyTokens: 2,
    tokens: { ids: [1, 2], texts: ['g', 'o'], logprobs: [-1, -2] },
    picture: null,
    stateHash: null,
  });
  const episode = (teacherLogprobs?: number[]): PlayedEpisode => ({
    // Of a trajectory nothing else matters here.
    trajectory: { givenTurns: 1, turns: [turnOf(0), turnOf(1)] } as PlayedTrajectory,
    given: [],
    calls: [
      { call: 'memory', prompt: [1], reply: [9], logprobs: [-1], teacherLogprobs: [-7] },
      {
        call: 'action',
        prompt: [1],
        reply: [1, 2],
        logprobs: [-1, -2],
        ...(teacherLogprobs && { teacherLogprobs }),
      },
    ],
  });
  const recordedTurns = (played: PlayedEpisode) =>
    trajectoriesOf([[played]], { recording: { trainGroups: 1 } }).recorded[0]?.turns.map(
      ({ tokens }) => tokens,
    );

  it('has a teacher’s log-probabilities of the turns it scored, those that were given left as they were', () => {
    const [given, own] = recordedTurns(episode([-0.5, -3])) ?? [];
    expect(given).not.toHaveProperty('teacherLogprobs');
    expect(own).toEqual({ ids: [1, 2], texts: ['g', 'o'], logprobs: [-1, -2], teacherLogprobs: [-0.5, -3] });
  });

  it('has none where no teacher scored, or not these tokens', () => {
    for (const played of [episode(), episode([-1])])
      for (const tokens of recordedTurns(played) ?? []) expect(tokens).not.toHaveProperty('teacherLogprobs');
  });
});
