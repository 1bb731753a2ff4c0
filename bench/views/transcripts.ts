import type { Trajectory, Turn } from '@/contract/trajectory';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { demonstrations as babyAiDemonstrations } from '@/rl/environments/babyai/demonstrations';
import type { Demonstration } from '@/rl/environments/demonstration';
import { createHousehold } from '@/rl/environments/household/household';
import { demonstrations as householdDemonstrations } from '@/rl/environments/household/demonstrations';
import { createRandom } from '@/rl/random';

const MAX_TURNS = 12;

/** Trajectories whose texts two environments and a demonstrator with faults have written: half BabyAI, half household. */
export function realTrajectories(count: number): Trajectory[] {
  const settings = { random: createRandom(1), count: count / 2 };
  const shown: Demonstration[] = [
    ...babyAiDemonstrations({ ...settings, environment: createBabyAi({ maxTurns: MAX_TURNS }) }),
    ...householdDemonstrations({ ...settings, environment: createHousehold({ maxTurns: MAX_TURNS }) }),
  ];
  return shown.map(toTrajectory);
}

function toTrajectory({ task, success, invalidActions, rows }: Demonstration, index: number): Trajectory {
  const turns = rows.map((row, turn): Turn => ({
    index: turn,
    observation: row.observation.text,
    availableActions: [...row.observation.availableActions],
    prompt: null,
    reply: `Thought: ${row.thought}\nAction: ${row.action}`,
    thought: row.thought,
    action: row.action,
    formatOk: true,
    admissible: row.observation.availableActions.includes(row.action),
    valid: true,
    reward: 0,
    memory: null,
    promptTokens: 200,
    replyTokens: 20,
    tokens: null,
    picture: null,
    stateHash: null,
  }));
  return {
    step: 0,
    phase: 'train',
    split: 'train',
    taskId: task.id,
    taskType: task.taskType,
    goal: rows[0]?.goal ?? '',
    group: index % 16,
    sample: index % 8,
    decoding: 'sampled',
    evaluation: null,
    seed: index,
    reward: success ? 1 - turns.length / 20 : 0,
    shapedReward: success ? 1 : 0,
    advantage: success ? 0.5 : -0.5,
    success,
    turnsCount: turns.length,
    givenTurns: 0,
    invalidActions,
    promptTokens: 200 * turns.length,
    replyTokens: 20 * turns.length,
    prefilledTokens: null,
    trainedTokens: null,
    stopReason: success ? 'success' : 'turn_limit',
    flags: index % 10 === 0 ? ['history_rewritten'] : [],
    error: null,
    strategy: null,
    turns,
    finalPicture: null,
    finalObservation: null,
  };
}

/** A transcript of so many turns of so many reply tokens each, their texts those of real replies. */
export function longTranscript(turns: number, tokensEach: number): Trajectory {
  const [first, ...others] = realTrajectories(64);
  const model = first?.turns[0];
  if (!first || !model) throw new Error('no demonstration was played');
  const words = [first, ...others].flatMap((each) =>
    each.turns.flatMap((turn) => turn.reply.split(/(?<=\s)/)),
  );
  const random = createRandom(2);
  return {
    ...first,
    phase: 'eval',
    split: 'valid_seen',
    group: null,
    goal: `a long transcript: ${first.goal}`,
    turnsCount: turns,
    replyTokens: turns * tokensEach,
    turns: Array.from({ length: turns }, (_, index): Turn => {
      const texts = Array.from(
        { length: tokensEach },
        (_, token) => words[(index * tokensEach + token) % words.length] ?? ' ',
      );
      return {
        ...(first.turns[index % first.turns.length] ?? model),
        index,
        reply: texts.join(''),
        replyTokens: tokensEach,
        tokens: {
          ids: texts.map((_, token) => token),
          texts,
          logprobs: texts.map(() => Math.log(1 - 0.9 * random.next())),
        },
      };
    }),
  };
}
