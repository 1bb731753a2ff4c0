/**
 * Reinforcement learning from judged turns, the second part of the published BabyAI-Text line (versions 2.1 to 2.3): of every
 * trajectory some turns are drawn, each is a sample of its own, and a judge that sees the whole trajectory says what that
 * turn was worth. No groups and no baseline: a sample's advantage is its reward, a mix of outcome, judge and format, so that
 * the update is REINFORCE with PPO's clip. The judge is a language model behind an endpoint, or the environment's expert, which
 * is an oracle. Page: docs/recipes/turn-judge.md.
 */
import { AppError } from '@/contract/errors';
import type { TurnJudgeConfig } from '@/contract/recipes/turn-judge';
import type { RecipeEvent } from '@/contract/run-events';
import { endpointJudge } from '@/rl/judging/endpoint-judge';
import { expertJudge } from '@/rl/judging/expert-judge';
import type { DrawnTurn, Judge, Judgement } from '@/rl/judging/judge';
import { JudgeWindow } from '@/rl/judging/window';
import { meanOf } from '@/rl/learning/advantages';
import { judgedReward } from '@/rl/learning/judge-reward';
import { rowsOf, type Row } from '@/rl/learning/rows';
import { trainedTokensOf } from '@/rl/learning/token-counts';
import { createRandom, hashSeed, type Random } from '@/rl/random';
import { permuterOf } from './group-scores';
import { sampleGroups, soundOf, toldTrajectories, trainTasks, trajectoriesOf, type Groups } from './groups';
import { updatePolicy } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { trainingLoop } from './training-loop';

export async function* trainTurnJudge(
  config: TurnJudgeConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const judge = judgeOf(setup);
  const window = judge && new JudgeWindow(judge.name, config.judge.windowSteps);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const tasks = trainTasks(setup, step, { count: config.rollout.groups });
    const { groups, metrics } = yield* sampleGroups(setup, sampler, step, tasks);
    const drawn = groups.flatMap((group, index) => {
      const task = tasks[index];
      return task ? soundOf(group).flatMap((episode) => drawTurns({ task, episode }, config, step)) : [];
    });
    const asked = drawn.filter((each) => needsScore(each, config.reward));
    const judgement = judge ? yield* judge.judge(asked, step) : unjudged(asked);
    if (!judgement) {
      yield* toldTrajectories(groups, config);
      return null;
    }
    const scoreOf = new Map(asked.map((each, index) => [each, judgement.scores[index] ?? null]));
    const scores = drawn.map((each) => scoreOf.get(each) ?? null);
    const samples = rewardTurns(drawn, scores, config.reward);
    const rows = rowsOfSamples(samples, permuterOf(config, step));
    countTrainedTokens(groups, samples, rows, config.update.epochs);
    const update = yield* updatePolicy(setup, rows.flat(), step);
    if (window)
      yield* window.observe(step, asked, judgement.scores, step === config.steps || context.signal.aborted);
    return {
      ...trajectoriesOf(groups, config),
      metrics: {
        ...metrics,
        ...judgement.metrics,
        ...(judge && scoreMetrics(judgement.scores)),
        ...(samples.length > 0 && {
          'advantage/absolute_mean': meanOf(samples.map(({ reward }) => Math.abs(reward))),
        }),
        ...update,
      },
    };
  });
}

/** Null where the config's mix needs none. Throws where the config's judge cannot be had. */
function judgeOf({ config, context, suite }: RunSetup<TurnJudgeConfig>): Judge | null {
  const { judge, seed, reward } = config;
  if (reward.judgeWeight === 0) return null;
  switch (judge.source) {
    case 'none':
      return null;
    case 'expert':
      return expertJudge(suite);
    case 'endpoint': {
      if (!judge.endpoint)
        throw new AppError('invalid_input', 'judge.source is endpoint, judge.endpoint names none');
      const { signal } = context;
      return endpointJudge(context.openEndpoint(judge.endpoint), judge, { seed, signal });
    }
  }
}

/** Whether the mix reads a score of the turn: with the format strict, a reply that broke it has fixed its trajectory's rewards. */
export function needsScore(
  { episode }: DrawnTurn,
  { format, judgeWeight }: TurnJudgeConfig['reward'],
): boolean {
  const isFixed = format === 'strict' && episode.trajectory.turns.some(({ formatOk }) => !formatOk);
  return judgeWeight > 0 && !isFixed;
}

function unjudged(drawn: readonly DrawnTurn[]): Judgement {
  return { scores: drawn.map(() => null), metrics: {} };
}

/** Turns of an episode, without repetition, in their order. */
export function drawTurns(
  { task, episode }: Omit<DrawnTurn, 'turn'>,
  { seed, judge }: Pick<TurnJudgeConfig, 'seed' | 'judge'>,
  step: number,
): DrawnTurn[] {
  const { turns, sample } = episode.trajectory;
  const random = createRandom(hashSeed(seed, 'judged-turns', step, task.id, sample));
  return random
    .shuffle(turns.map(({ index }) => index))
    .slice(0, judge.turns)
    .sort((a, b) => a - b)
    .map((turn) => ({ task, episode, turn }));
}

/** A turn that is trained on. */
export interface JudgedSample extends DrawnTurn {
  /** Its reward, which is its advantage. */
  reward: number;
}

/**
 * The samples of drawn turns: those whose reward needs a score that there is not are left out. Writes the means over a
 * trajectory's samples as its shaped reward and advantage.
 */
export function rewardTurns(
  drawn: readonly DrawnTurn[],
  scores: readonly (number | null)[],
  mix: TurnJudgeConfig['reward'],
): JudgedSample[] {
  const samples = drawn.flatMap((each, index): JudgedSample[] => {
    const { success, turns } = each.episode.trajectory;
    const reward = judgedReward(
      {
        success,
        judgeScore: scores[index] ?? null,
        isWellFormed: turns[each.turn]?.formatOk ?? false,
        isTrajectoryWellFormed: turns.every(({ formatOk }) => formatOk),
      },
      mix,
    );
    return Number.isNaN(reward) ? [] : [{ ...each, reward }];
  });
  for (const { trajectory } of new Set(samples.map(({ episode }) => episode))) {
    const own = samples.filter(({ episode }) => episode.trajectory === trajectory);
    trajectory.shapedReward = meanOf(own.map(({ reward }) => reward));
    trajectory.advantage = trajectory.shapedReward;
  }
  return samples;
}

/** Rows of each sample: its acting call, by itself; `permute`, the control, deals the rewards anew. */
export function rowsOfSamples(samples: readonly JudgedSample[], permute: Random | null): Row[][] {
  const rewards = samples.map(({ reward }) => reward);
  const dealt = permute ? permute.shuffle(rewards) : rewards;
  return samples.map(({ episode, turn }, index) => {
    const call = episode.calls.filter((each) => each.call === 'action')[turn];
    return call ? rowsOf([call], dealt[index] ?? 0) : [];
  });
}

/** Writes what of each trajectory was trained on, 0 where nothing was. */
function countTrainedTokens(
  groups: Groups,
  samples: readonly JudgedSample[],
  rows: readonly Row[][],
  passes: number,
): void {
  for (const { trajectory } of groups.flat()) trajectory.trainedTokens = 0;
  samples.forEach(({ episode: { trajectory } }, index) => {
    trajectory.trainedTokens = (trajectory.trainedTokens ?? 0) + trainedTokensOf(rows[index] ?? [], passes);
  });
}

/** Of a step's turns that were to be judged; nothing where none was, or none was scored. */
function scoreMetrics(scores: readonly (number | null)[]): Record<string, number> {
  const scored = scores.filter((score) => score !== null);
  return {
    ...(scored.length > 0 && { 'judge/score_mean': meanOf(scored) }),
    ...(scores.length > 0 && { 'judge/unscored_rate': 1 - scored.length / scores.length }),
  };
}
