/**
 * SDAR, self-distilled agentic RL (arXiv 2605.15155): GRPO whose policy is also drawn to what it would say with a skill in
 * its prompt. The teacher is the same weights with the skill's text before the prompt; each sampled token adds
 * `gate x (lp_T - lp_S)` to the loss, `gate = sigmoid(sharpness x (lp_T - lp_S))` being a constant. That gradient, -gate x
 * grad lp_S, is a weighted cross-entropy's: it only ever raises what was sampled, and most where the teacher likes it better.
 * Page: docs/recipes/sdar.md.
 */
import type {
  ChatMessage,
  Datum,
  Engine,
  SamplingClient,
  Tokenizer,
  TrainingClient,
} from '@/contract/engine';
import type { SdarConfig, Skill } from '@/contract/recipes/sdar';
import type { RecipeEvent } from '@/contract/run-events';
import { sumOf } from '@/rl/learning/moments';
import { gatedGap, sdarTokenWeights, type GatedGap } from '@/rl/learning/sdar';
import type { CallTokens, PlayedEpisode } from '@/rl/play';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import { toldCalls } from '@/rl/told-calls';
import { permuterOf, rowsOfScored, scoreGroups } from './group-scores';
import { advantageMetrics, sampleGroups, soundOf, trajectoriesOf, type Groups } from './groups';
import { updatePolicy, type PolicyPass } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { scoreReplies, type AskedCall } from './teacher';
import { trainingLoop } from './training-loop';

export async function* trainSdar(config: SdarConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const { groups, metrics } = yield* sampleGroups(setup, sampler, step);
    const asked = await tellTeacher(setup, sampler, groups);
    const scored = scoreGroups(groups, config);
    const rows = rowsOfScored(
      scored,
      { dropDegenerateGroups: false },
      permuterOf(config, step),
      config.update.epochs,
    );
    const update = yield* updatePolicy(setup, rows, step, (pass) =>
      addGatedGap(context.engine.training, pass, config.distillation),
    );
    return {
      ...trajectoriesOf(groups, config),
      metrics: { ...metrics, ...asked, ...advantageMetrics(groups, scored), ...update },
    };
  });
}

/** What is asked of an engine to write the teacher's prompts. */
type TeacherEngine = Pick<Engine, 'contextTokens'> & { tokenizer: Pick<Tokenizer, 'encodeChat'> };

interface AskedTeacher {
  asked: AskedCall[];
  /** Acting replies that are not asked about, for their prompt with the skill does not fit the engine's context. */
  tooLong: number;
}

/**
 * What the sampler, told a skill, is to score: the acting replies of tasks that have one. A call that it is not asked about
 * has no teacher and adds nothing to the loss.
 */
export function askTeacher(
  episodes: readonly PlayedEpisode[],
  skills: readonly Skill[],
  { scaffold, context }: { scaffold: Scaffold; context: { engine: TeacherEngine } },
): AskedTeacher {
  const { tokenizer, contextTokens } = context.engine;
  const withSkills = episodes.flatMap(({ trajectory, calls }) => {
    const skill = skillFor(trajectory.taskType, skills);
    if (skill === null) return [];
    const told = toldCalls(trajectory, scaffold).filter(({ call }) => call === 'action');
    const acting = calls.filter(({ call }) => call === 'action');
    return acting.flatMap((call, turn) => {
      const messages = told[turn]?.messages;
      return messages
        ? { call, prompt: tokenizer.encodeChat(withSkill(messages, skill), scaffold.tools) }
        : [];
    });
  });
  const asked = withSkills.filter(({ call, prompt }) => prompt.length + call.reply.length <= contextTokens);
  return { asked, tooLong: withSkills.length - asked.length };
}

/** Scores what the teacher is asked; of an episode it has a say in, its other calls have NaN for every token. */
async function tellTeacher(
  setup: RunSetup<SdarConfig>,
  sampler: SamplingClient,
  groups: Groups,
): Promise<{ 'sdar/too_long_prompts': number }> {
  const episodes = groups.flatMap(soundOf);
  const { asked, tooLong } = askTeacher(episodes, setup.config.distillation.skills, setup);
  await scoreReplies(sampler, asked);
  for (const { calls } of episodes) markUntaught(calls);
  return { 'sdar/too_long_prompts': tooLong };
}

/** A conversation's calls become one row, in which those that were scored must stay at their tokens. */
export function markUntaught(calls: readonly CallTokens[]): void {
  if (!calls.some(({ teacherLogprobs }) => teacherLogprobs)) return;
  for (const call of calls) call.teacherLogprobs ??= call.reply.map(() => NaN);
}

/** The skill of a task type; else the one for all; null without either. */
export function skillFor(taskType: string, skills: readonly Skill[]): string | null {
  const skill =
    skills.find((each) => each.taskType === taskType) ?? skills.find((each) => each.taskType === '');
  return skill?.text ?? null;
}

/** The messages with a skill before the first message of the user. */
export function withSkill(messages: readonly ChatMessage[], skill: string): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === first ? { ...message, content: `${skill}\n\n${message.content}` } : message,
  );
}

/** Adds the gradient of coefficient x gated gap to an update, gaps and gates being those of its weights. */
async function addGatedGap(
  training: Pick<TrainingClient, 'forwardBackward'>,
  pass: PolicyPass,
  { coefficient, sharpness }: SdarConfig['distillation'],
): Promise<Record<string, number>> {
  const { gaps, data, metrics } = gatedGapData(pass, { coefficient, sharpness });
  if (coefficient > 0 && gaps.length > 0) await training.forwardBackward(data, 'cross_entropy');
  return metrics;
}

/**
 * An update's gated gaps, the mean over its sampled tokens that a teacher scored, as data of a cross-entropy that has their
 * gradient, and what is said of them: the metrics of SDAR's `compute_sdar_loss`, none where no token was scored.
 */
export function gatedGapData(
  { rows, data, output }: PolicyPass,
  { coefficient, sharpness }: Pick<SdarConfig['distillation'], 'coefficient' | 'sharpness'>,
): { data: Datum[]; gaps: GatedGap[]; metrics: Record<string, number> } {
  const taught = rows.map(({ sampled, teacherLogprobs }) =>
    sampled.map((isSampled, t) => isSampled && !Number.isNaN(teacherLogprobs?.[t] ?? NaN)),
  );
  const weights = sdarTokenWeights(
    taught.map((tokens) => tokens.map(Number)),
    'token-mean',
  );
  const gaps: GatedGap[] = [];
  let loss = 0;
  const weighted = data.map((datum, i): Datum => {
    const row = rows[i];
    const targetWeights = datum.lossFnInputs.targetTokens.map(() => 0);
    taught[i]?.forEach((isTaught, t) => {
      if (!row || !isTaught) return;
      const target = row.prompt.length - 1 + t;
      const student = output.logprobs[i]?.[target] ?? NaN;
      const gap = gatedGap(student, row.teacherLogprobs?.[t] ?? NaN, sharpness);
      const weight = weights[i]?.[t] ?? NaN;
      gaps.push(gap);
      loss += weight * gap.loss;
      targetWeights[target] = -coefficient * weight * gap.gradient;
    });
    const { targetTokens } = datum.lossFnInputs;
    return { modelInput: datum.modelInput, lossFnInputs: { targetTokens, weights: targetWeights } };
  });
  const mean = (value: (gap: GatedGap) => number) => sumOf(gaps.map(value)) / gaps.length;
  return {
    data: weighted,
    gaps,
    metrics:
      gaps.length === 0
        ? {}
        : {
            'sdar/gate_mean': mean(({ gate }) => gate),
            'sdar/gate_active_ratio': mean(({ gate }) => Number(gate > 0.5)),
            'sdar/teacher_gap_mean': mean(({ gap }) => gap),
            'sdar/loss': loss,
          },
  };
}
