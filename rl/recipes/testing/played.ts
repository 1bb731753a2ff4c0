import type { PlayedTrajectory, PlayedTurn } from '@/contract/trajectory';
import type { CallTokens, PlayedEpisode } from '@/rl/play';

/** What a test says of a turn; the rest is invented. */
export type SomeTurn = Partial<PlayedTurn>;

/** A turn of a played episode for tests. */
export function aTurn(turn: SomeTurn, index: number): PlayedTurn {
  return {
    index,
    observation: `You are in room ${index}.`,
    availableActions: ['wait', 'leave'],
    prompt: null,
    reply: 'wait',
    thought: null,
    action: 'wait',
    formatOk: true,
    admissible: true,
    valid: true,
    reward: 0,
    memory: null,
    promptTokens: 3,
    replyTokens: 2,
    tokens: null,
    picture: null,
    stateHash: null,
    ...turn,
  };
}

/** A played episode for tests: a prompt of three ids and a reply of two for each turn, none of them alike. */
export function playedEpisode(
  trajectory: Partial<PlayedTrajectory>,
  turns: readonly SomeTurn[],
): PlayedEpisode {
  const played = turns.map(aTurn);
  const calls = played.map(({ index }): CallTokens => ({
    call: 'action',
    prompt: [100 + index, 200 + index, 300 + index],
    reply: [10 + index, 1],
    logprobs: [-0.5, -0.25],
  }));
  return {
    calls,
    given: [],
    trajectory: {
      step: 0,
      phase: 'train',
      split: 'train',
      taskId: 'room/1',
      taskType: 'leave',
      goal: 'leave',
      group: 0,
      sample: 0,
      decoding: 'sampled',
      evaluation: null,
      seed: 1,
      reward: 0,
      shapedReward: null,
      advantage: null,
      success: false,
      turnsCount: played.length,
      invalidActions: played.filter(({ valid }) => !valid).length,
      promptTokens: 3 * played.length,
      replyTokens: 2 * played.length,
      prefilledTokens: null,
      trainedTokens: null,
      givenTurns: 0,
      stopReason: 'failure',
      flags: [],
      error: null,
      strategy: null,
      finalPicture: null,
      finalObservation: null,
      ...trajectory,
      turns: played,
    },
  };
}
