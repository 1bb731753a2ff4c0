import type { SeriesSum } from '@/contract/api';
import {
  TOKEN_PHASES,
  tokenSeries,
  type ByTokenKind,
  type ByTokenPhase,
  type TokenKind,
  type TokenPhase,
} from '@/contract/cost';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { openScaffold } from '@/rl/scaffolds/registry';
import { valueAtPath } from './config-path';
import { isRecord } from './record';

/**
 * Episodes that a config plays in all, of training those of its update; null where its recipe plays no groups. The masked
 * control makes two calls a turn and counts as two evaluated episodes.
 */
export function plannedEpisodes(config: RunSettings): ByTokenPhase<number> | null {
  const { steps, rollout, evaluation, probe } = config;
  if (rollout.groups === undefined || rollout.groupSize === undefined) return null;
  const training = steps * rollout.groups * rollout.groupSize;
  if (evaluation.everySteps === 0) return { training, evaluation: 0, probe: 0 };
  const between = Math.floor((steps - 1) / evaluation.everySteps);
  const tasksOf = (sizes: RunSettings['evaluation']['splits']) =>
    sizes.reduce((sum, { tasks }) => sum + tasks, 0);
  const first = tasksOf(evaluation.finalSplits);
  const isMasked = evaluation.controls && openScaffold(config.scaffold).actionMarker !== undefined;
  return {
    training,
    evaluation:
      evaluation.decodings.length * (2 * first + between * tasksOf(evaluation.splits)) +
      (isMasked ? 2 * first : 0),
    probe: (2 + between) * probe.tasks * (1 + probe.samples),
  };
}

/** What one episode can come to, by the limits of its config. */
export interface EpisodeLimits {
  turns: number;
  /** Replies: one a turn, and those that write a strategy or a memory. */
  calls: number;
  /** Sequences it becomes in an update. */
  rows: number;
  promptTokens: number;
  replyTokens: number;
}

export function episodeLimits({ environment, scaffold, rollout }: RunSettings): EpisodeLimits {
  const { history, strategyCall, memoryCall } = openScaffold(scaffold);
  const turns = environment.maxTurns;
  const notes = (strategyCall ? 1 : 0) + (memoryCall ? turns : 0);
  return {
    turns,
    calls: turns + notes,
    rows: (history === 'extends' ? 1 : turns) + notes,
    promptTokens: rollout.maxPromptTokens,
    replyTokens: rollout.maxReplyTokens,
  };
}

/** How often a recipe that samples until its groups teach may play a step's groups: once where it does not. */
export function mostSamplings(config: RunSettings): number {
  const batches = numberAt(config, 'sampling.maxBatches');
  const batchGroups = numberAt(config, 'sampling.batchGroups');
  const { groups } = config.rollout;
  return batches === null || batchGroups === null || !groups
    ? 1
    : Math.max(1, (batches * batchGroups) / groups);
}

/**
 * The most tokens that a config can use: every episode takes all its turns, every prompt and reply is as long as it may
 * be, nothing is reused, every group is sampled as often as may be, every row is trained on, and a KL term has the base
 * score each of them. What `uncountedTokens` names comes on top.
 */
export function mostTokens(config: RunSettings): ByTokenPhase<ByTokenKind> | null {
  const episodes = plannedEpisodes(config);
  if (!episodes) return null;
  const { calls, rows, promptTokens, replyTokens } = episodeLimits(config);
  const rowTokens = passesOf(config) * rows * (promptTokens + replyTokens);
  const played = (count: number) => ({
    prefilled: count * calls * promptTokens,
    reused: 0,
    sampled: count * calls * replyTokens,
    trained: 0,
  });
  const training = played(episodes.training * mostSamplings(config));
  const trained = episodes.training * rowTokens;
  return {
    training: { ...training, trained, prefilled: training.prefilled + (hasReference(config) ? trained : 0) },
    evaluation: played(episodes.evaluation),
    probe: played(episodes.probe),
  };
}

/** What a recipe has models read or write beyond the episodes that `mostTokens` counts, in words. */
export function uncountedTokens(config: RunSettings): string[] {
  const drafts =
    valueAtPath(config, 'strategies.selection') === 'farthest'
      ? (numberAt(config, 'strategies.count') ?? 0) * (numberAt(config, 'strategies.oversampling') ?? 0)
      : 0;
  const skills = valueAtPath(config, 'distillation.skills');
  const isUncounted: Record<string, boolean> = {
    'the episodes whose turns the groups set in at': isRecord(valueAtPath(config, 'fork')),
    // A played sample is counted with a call that writes its strategy: so many drafts are covered.
    'strategies written beyond one a sample': drafts > (config.rollout.groupSize ?? 0),
    'the policy’s judgment of its own turns': isRecord(valueAtPath(config, 'judgment')),
    'the scoring of replies with a skill': Array.isArray(skills) && skills.length > 0,
    'what the teacher scores and goes on with': isRecord(valueAtPath(config, 'teacher')),
    'what the judge reads and answers': valueAtPath(config, 'judge.source') === 'endpoint',
  };
  return Object.keys(isUncounted).filter((words) => isUncounted[words]);
}

/**
 * Tokens of a config by those of a finished run, each phase scaled by its episodes and training by its passes; null
 * where the run was of another setup or did not count what would be needed, and where episodes grow as training goes on.
 */
export function scaledTokens(
  config: RunSettings,
  run: { config: RunSettings; sums: readonly SeriesSum[] },
): ByTokenPhase<ByTokenKind> | null {
  const planned = plannedEpisodes(config);
  const played = plannedEpisodes(run.config);
  if (!planned || !played || setupOf(config) !== setupOf(run.config)) return null;
  if (isRecord(valueAtPath(config, 'horizon'))) return null;
  const scaled = (phase: TokenPhase, kind: TokenKind): number | null => {
    if (planned[phase] === 0 || (kind === 'trained' && phase !== 'training')) return 0;
    const sum = run.sums.find(({ name }) => name === tokenSeries(phase, kind));
    if (!sum || sum.count === 0 || played[phase] === 0) return null;
    const passes = kind === 'trained' ? passesOf(config) / passesOf(run.config) : 1;
    return ((sum.sum - sum.overwritten) / played[phase]) * planned[phase] * passes;
  };
  const tokensOf = (phase: TokenPhase): ByTokenKind => ({
    prefilled: scaled(phase, 'prefilled'),
    reused: scaled(phase, 'reused'),
    sampled: scaled(phase, 'sampled'),
    trained: scaled(phase, 'trained'),
  });
  const byPhase = {
    training: tokensOf('training'),
    evaluation: tokensOf('evaluation'),
    probe: tokensOf('probe'),
  };
  const isCounted = TOKEN_PHASES.every(
    (phase) =>
      byPhase[phase].prefilled !== null && byPhase[phase].sampled !== null && byPhase[phase].trained !== null,
  );
  return isCounted ? byPhase : null;
}

/** Series of a run's seconds. */
const TIME_SERIES = { training: ['time/rollout', 'time/train'], evaluation: ['time/evaluation'] };

/** Series by which a finished run tells how long another would take. */
export const TIMED_SERIES: readonly string[] = Object.values(TIME_SERIES).flat();

/**
 * Seconds of rollout, update, evaluations and probes of a config by those of a finished run of the same setup, scaled by episodes;
 * null where that run did not measure them. The other machine may be faster or slower.
 */
export function scaledSeconds(
  config: RunSettings,
  run: { config: RunSettings; sums: readonly SeriesSum[] },
): number | null {
  const planned = plannedEpisodes(config);
  const played = plannedEpisodes(run.config);
  if (!planned || !played || setupOf(config) !== setupOf(run.config)) return null;
  const secondsOf = (series: readonly string[]) =>
    run.sums
      .filter(({ name, count }) => series.includes(name) && count > 0)
      .reduce((total, { sum, overwritten }) => total + sum - overwritten, 0);
  const training = (secondsOf(TIME_SERIES.training) / played.training) * planned.training;
  // A probe is timed with the evaluation that it follows.
  const evaluated = (episodes: ByTokenPhase<number>) => episodes.evaluation + episodes.probe;
  const evaluation =
    evaluated(planned) === 0
      ? 0
      : (secondsOf(TIME_SERIES.evaluation) / evaluated(played)) * evaluated(planned);
  const seconds = training + evaluation;
  return seconds > 0 && Number.isFinite(seconds) ? seconds : null;
}

/** What decides how many tokens an episode takes, as one text. */
function setupOf(config: RunSettings): string {
  const { engine, environment, scaffold, rollout, evaluation } = config;
  return JSON.stringify([
    engine.model,
    environment,
    scaffold,
    { ...rollout, groups: null },
    evaluation.decodings,
    evaluation.controls,
    hasReference(config),
  ]);
}

function passesOf(config: RunSettings): number {
  return numberAt(config, 'update.epochs') ?? 1;
}

/** Whether the update has the base score what it trains on. */
function hasReference(config: RunSettings): boolean {
  return (numberAt(config, 'update.klCoef') ?? 0) > 0;
}

function numberAt(config: RunSettings, path: string): number | null {
  const value = valueAtPath(config, path);
  return typeof value === 'number' ? value : null;
}
