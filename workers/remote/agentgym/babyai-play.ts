import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { pythonStrip } from '@/rl/environments/babyai/python-strip';
import type { Observation, StepResult } from '@/rl/environments/environment';
import type { AgentGymClient } from './client';
import type { AgentGymOptions } from './options';
import { quote } from './request';
import type { ServedPlay } from './served-play';

const Answer = z.object({
  observation: z.string(),
  reward: z.number(),
  /** Sum of the rewards since the start. */
  score: z.number(),
  done: z.boolean(),
});
type Answer = z.infer<typeof Answer>;

const GOAL = /^Your goal: ([^\n]*)\n/;
const ACTION_LIST = '\nAvailable actions: ';
const ActionList = z.array(z.string());
/** Ends the text of a turn in which the mission was fulfilled or lost. */
const COMPLETED = '\n The task is completed.';
const NO_CHANGE = 'No change in state.';
const REFUSALS = [
  /^The action is not recognized\. Please check valid actions\.$/,
  /^There is a barrier in front of you, you can't move forward\.$/,
  /^You cannot (pickup|drop|go to|go through|toggle and go through) .*, as .*\.$/,
];
/** Of sums of rewards, which are rounded in an order of their own. */
const SCORE_TOLERANCE = 1e-6;

/** A game of AgentGym's BabyAI server. */
export class BabyAiPlay implements ServedPlay {
  private constructor(
    private readonly client: AgentGymClient,
    private readonly environmentId: number,
    private readonly options: AgentGymOptions,
    readonly goal: string,
    readonly start: Observation,
    private score: number,
  ) {}

  /** Resets an environment of the server to the game of AgentGym's data index. */
  static async start(
    client: AgentGymClient,
    environmentId: number,
    dataIndex: number,
    options: AgentGymOptions,
  ): Promise<BabyAiPlay> {
    const { observation, score } = await client.reset(environmentId, { data_idx: dataIndex }, Answer);
    const [goalLine, goal] = GOAL.exec(observation) ?? [];
    const place = client.placeOf({ method: 'POST', route: '/reset' });
    if (goalLine === undefined || goal === undefined)
      throw new AppError('unavailable', `${place} told no goal: ${quote(observation)}`);
    const start = readObservation(observation.slice(goalLine.length), place);
    return new BabyAiPlay(client, environmentId, options, goal, start, score);
  }

  async step(action: string): Promise<StepResult> {
    const answer = await this.client.step(this.environmentId, action, Answer);
    const place = this.client.placeOf({ method: 'POST', route: '/step' });
    this.requireSum(answer, place);
    this.score = answer.score;
    const observation = readObservation(answer.observation, place);
    const completed = observation.text.endsWith(COMPLETED);
    return {
      observation,
      reward: completed || !this.options.payOnce ? answer.reward : 0,
      done: answer.done || (completed && this.options.endOnLowReward),
      truncated: false,
      success: completed && answer.reward > 0,
      valid: isAccepted(action, observation.text),
    };
  }

  /** Another sum than ours shows that a turn was played which is not ours. */
  private requireSum({ reward, score }: Answer, place: string): void {
    if (Math.abs(score - (this.score + reward)) <= SCORE_TOLERANCE) return;
    throw new AppError(
      'unavailable',
      `${place} told a score of ${score} after ${this.score} and a reward of ${reward}: someone else plays in ` +
        `environment ${this.environmentId}`,
    );
  }
}

/** The list of actions stands at the end of the text. */
function readObservation(told: string, place: string): Observation {
  const end = told.lastIndexOf(ACTION_LIST);
  const list = ActionList.safeParse(end < 0 ? null : parseJson(told.slice(end + ACTION_LIST.length)));
  if (!list.success)
    throw new AppError(
      'unavailable',
      `${place} told no list of available actions: ${quote(told.slice(-200))}`,
    );
  return { text: told.slice(0, end), availableActions: list.data };
}

/** The server says the same to an empty action, which is none, and to one that finds its aim reached. */
function isAccepted(action: string, text: string): boolean {
  if (text === NO_CHANGE) return pythonStrip(action) !== '';
  return !REFUSALS.some((refusal) => refusal.test(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
