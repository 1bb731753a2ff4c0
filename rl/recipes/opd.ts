/**
 * On-policy distillation (thinkingmachines.ai/blog/on-policy-distillation): the student samples, the teacher scores the same
 * tokens, and each token's advantage is -coefficient x (lp_S - lp_T), its reverse KL; the loss is importance sampling's,
 * without a reward or a baseline. A reward for the format may be added, and at each evaluation the teacher goes on from the
 * beginnings of its student's replies: where it cannot, what it says of their ends teaches nothing. Forms of agentic-rl-lab
 * (`02-opd`), tinker-cookbook and the BabyAI-Text line's v3. Page: docs/recipes/opd.md.
 */
import type { OpdConfig } from '@/contract/recipes/opd';
import type { RecipeEvent } from '@/contract/run-events';
import { meanOf } from '@/rl/learning/advantages';
import { askedUsageMetrics } from '@/rl/learning/cost';
import { headTailGap, klAdvantages, meanReverseKl, type TaughtTokens } from '@/rl/learning/distillation';
import { rowsOf, type Row } from '@/rl/learning/rows';
import { countsSince, trainedTokensOf } from '@/rl/learning/token-counts';
import type { Random } from '@/rl/random';
import { drawReplies, tabulateContinuations } from './continuations';
import { permuterOf } from './group-scores';
import { sampleGroups, soundOf, toldTrajectories, trajectoriesOf } from './groups';
import { updatePolicy } from './policy-update';
import { activityEvent, logEvent, type RecipeContext } from './recipe';
import { repliesOf, type JudgedReply } from './reply-format';
import { setUp } from './setup';
import { scoreReplies } from './teacher';
import { isEvaluated, trainingLoop } from './training-loop';
import { waitFor } from './waiting';

export async function* trainOpd(config: OpdConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);
  const teacher = context.openTeacher(config.teacher);
  try {
    if (!(yield* waitFor(done(teacher.prepare()), teacher, context.signal))) return;
    yield logEvent('info', `taught by ${teacher.name}`);
    yield* trainingLoop(setup, async function* (sampler, step) {
      const { groups, metrics } = yield* sampleGroups(setup, sampler, step);
      const episodes = groups
        .flatMap(soundOf)
        .map(({ trajectory, calls }) => ({ trajectory, replies: repliesOf(calls, setup) }));
      const replies = episodes.flatMap((episode) => episode.replies);
      yield activityEvent(step, 'training', replies.length);
      const countsBefore = teacher.counts();
      const asked = replies.map(({ call }) => ({ call, prompt: call.prompt }));
      if (!(yield* waitFor(done(scoreReplies(teacher, asked)), teacher, context.signal))) {
        yield* toldTrajectories(groups, config);
        return null;
      }
      const permute = permuterOf({ seed: config.seed, advantage: config.distillation }, step);
      const rows = episodes.flatMap((episode) => {
        const own = taughtRows(episode.replies, config);
        episode.trajectory.advantage = meanOf(sampledAdvantages(own));
        episode.trajectory.trainedTokens = trainedTokensOf(own, config.update.epochs);
        return own;
      });
      const update = yield* updatePolicy(setup, permute ? permuted(rows, permute) : rows, step);
      if (config.diagnosis.replies > 0 && isEvaluated(step, config)) {
        const drawn = drawReplies(replies, config, step);
        const continued = tabulateContinuations(setup, teacher, drawn, step);
        const table = yield* waitFor(continued, teacher, context.signal);
        if (table) yield { kind: 'teacher:continued', table };
      }
      return {
        ...trajectoriesOf(groups, config),
        metrics: {
          ...metrics,
          ...gapMetrics(rows, replies),
          ...askedUsageMetrics('teacher', countsSince(countsBefore, teacher.counts()), teacher.prices),
          ...update,
        },
      };
    });
  } finally {
    await teacher.close();
  }
}

/** True once something without a result has been done. */
async function done(work: Promise<void>): Promise<true> {
  await work;
  return true;
}

/** An episode's rows: each token's advantage is its share of the reverse KL and the reward of its reply's format. */
export function taughtRows(
  replies: readonly JudgedReply[],
  { distillation, reward: { formatReward } }: Pick<OpdConfig, 'distillation' | 'reward'>,
): Row[] {
  const rows = rowsOf(
    replies.map(({ call }) => call),
    replies.map(({ isWellFormed }) => (isWellFormed ? formatReward : -formatReward)),
  );
  return rows.map((row) => {
    const advantages = klAdvantages(taughtTokens(row), distillation);
    return { ...row, advantages: row.advantages.map((own, t) => own + (advantages[t] ?? NaN)) };
  });
}

function taughtTokens({ logprobs, teacherLogprobs = [], sampled }: Row): TaughtTokens {
  return { studentLogprobs: logprobs, teacherLogprobs, mask: sampled.map(Number) };
}

function sampledAdvantages(rows: readonly Row[]): number[] {
  return rows.flatMap(({ advantages, sampled }) => advantages.filter((_, t) => sampled[t]));
}

/** The rows with the advantages of their sampled tokens dealt anew over all of them. */
function permuted(rows: readonly Row[], random: Random): Row[] {
  const dealt = random.shuffle(sampledAdvantages(rows));
  return rows.map((row) => ({
    ...row,
    advantages: row.advantages.map((own, t) => (row.sampled[t] ? (dealt.pop() ?? NaN) : own)),
  }));
}

function gapMetrics(rows: readonly Row[], replies: readonly JudgedReply[]): Record<string, number> {
  const gaps = replies.flatMap(({ call }) =>
    call.reply.length > 0 ? headTailGap(call.logprobs, call.teacherLogprobs ?? []) : [],
  );
  return {
    'advantage/absolute_mean': meanOf(sampledAdvantages(rows).map(Math.abs)),
    'opd/reverse_kl': meanReverseKl(rows.map(taughtTokens)),
    'opd/head_gap': meanOf(gaps.map(({ head }) => head)),
    'opd/tail_gap': meanOf(gaps.map(({ tail }) => tail)),
    'opd/format_rate': meanOf(replies.map(({ isWellFormed }) => Number(isWellFormed))),
  };
}
