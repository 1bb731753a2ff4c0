/**
 * SDAR, self-distilled agentic RL (arXiv 2605.15155): GRPO whose policy is also drawn to what it would say with a skill in
 * its prompt. The teacher is the same weights with the skill's text before the prompt; each sampled token adds
 * `gate x (lp_T - lp_S)` to the loss, `gate = sigmoid(sharpness x (lp_T - lp_S))` being a constant. That gradient, -gate x
 * grad lp_S, is a weighted cross-entropy's: it only ever raises what was sampled, and most where the teacher likes it better.
 * Page: docs/recipes/sdar.md.
 */
import type { ChatMessage, Datum, SamplingClient, TrainingClient } from '@/contract/engine';
import type { SdarConfig, Skill } from '@/contract/recipes/sdar';
import type { RecipeEvent } from '@/contract/run-events';
import { sumOf } from '@/rl/learning/moments';
import { gatedGap, sdarTokenWeights, type GatedGap } from '@/rl/learning/sdar';
import { createRandom, hashSeed } from '@/rl/random';
import { toldCalls } from '@/rl/told-calls';
import { rowsOfScored, scoreGroups } from './group-scores';
import { advantageMetrics, sampleGroups, soundOf, trajectoriesOf, type Groups } from './groups';
import { updatePolicy, type PolicyPass } from './policy-update';
import type { RecipeContext } from './recipe';
import { setUp, type RunSetup } from './setup';
import { scoreReplies } from './teacher';
import { trainingLoop } from './training-loop';

export async function* trainSdar(config: SdarConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  const setup = await setUp(config, context);

  yield* trainingLoop(setup, async function* (sampler, step) {
    const { groups, metrics } = yield* sampleGroups(setup, sampler, step);
    await tellTeacher(setup, sampler, groups);
    const scored = scoreGroups(groups, config);
    const permute = config.advantage.permute ? createRandom(hashSeed(config.seed, 'permute', step)) : null;
    const rows = rowsOfScored(scored, { dropDegenerateGroups: false }, permute, config.update.epochs);
    const update = yield* updatePolicy(setup, rows, step, (pass) =>
      addGatedGap(context.engine.training, pass, config.distillation),
    );
    return {
      ...trajectoriesOf(groups, config),
      metrics: { ...metrics, ...advantageMetrics(groups, scored), ...update },
    };
  });
}

/** Has the sampler, told a skill, score every acting reply; a call without a skill is its own teacher. */
async function tellTeacher(
  { config, context, scaffold }: RunSetup<SdarConfig>,
  sampler: SamplingClient,
  groups: Groups,
): Promise<void> {
  const { tokenizer } = context.engine;
  const asked = groups.flatMap(soundOf).flatMap(({ trajectory, calls }) => {
    const skill = skillFor(trajectory.taskType, config.distillation.skills);
    const acting = toldCalls(trajectory, scaffold).filter(({ call }) => call === 'action');
    let turn = 0;
    return calls.map((call) => {
      const told = call.call === 'action' ? acting[turn++] : undefined;
      const prompt =
        skill && told ? tokenizer.encodeChat(withSkill(told.messages, skill), scaffold.tools) : call.prompt;
      return { call, prompt };
    });
  });
  await scoreReplies(sampler, asked);
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
 * An update's gated gaps, the mean over its sampled tokens, as data of a cross-entropy that has their gradient, and what is said of
 * them: the metrics of SDAR's `compute_sdar_loss`.
 */
export function gatedGapData(
  { rows, data, output }: PolicyPass,
  { coefficient, sharpness }: Pick<SdarConfig['distillation'], 'coefficient' | 'sharpness'>,
): { data: Datum[]; gaps: GatedGap[]; metrics: Record<string, number> } {
  const weights = sdarTokenWeights(
    rows.map(({ sampled }) => sampled.map(Number)),
    'token-mean',
  );
  const gaps: GatedGap[] = [];
  let loss = 0;
  const weighted = data.map((datum, i): Datum => {
    const row = rows[i];
    const targetWeights = datum.lossFnInputs.targetTokens.map(() => 0);
    row?.sampled.forEach((isSampled, t) => {
      if (!isSampled) return;
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
    metrics: {
      'sdar/gate_mean': mean(({ gate }) => gate),
      'sdar/gate_active_ratio': mean(({ gate }) => Number(gate > 0.5)),
      'sdar/teacher_gap_mean': mean(({ gap }) => gap),
      'sdar/loss': loss,
    },
  };
}
