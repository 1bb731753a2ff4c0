/**
 * How likely the replies of recorded trajectories are to a checkpoint, turn by turn: it is given the recorded prompt and,
 * token by token, the recorded reply (teacher forcing). Nothing is sampled, nothing is trained. Page: docs/play.md.
 */
import type { ActionScores, TurnScore } from '@/contract/action-scores';
import type { SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ActionScoresConfig } from '@/contract/recipes/requested-work';
import type { RecipeEvent } from '@/contract/run-events';
import type { Turn } from '@/contract/trajectory';
import { actionTokens } from '../action-tokens';
import type { CallTokens } from '../call-tokens';
import { recordedCalls } from '../recorded-calls';
import { openScaffold } from '../scaffolds/registry';
import { activityEvent, logEvent, type RecipeContext } from './recipe';
import { requestedCheckpoint } from './requested-checkpoint';

export async function* scoreActions(
  config: ActionScoresConfig,
  context: RecipeContext,
): AsyncGenerator<RecipeEvent> {
  const { reference, sampler } = await requestedCheckpoint(config, context);
  for (const [index, { id, scaffold }] of config.trajectories.entries()) {
    if (context.signal.aborted) return;
    yield activityEvent(0, 'evaluation', config.trajectories.length, index);
    const trajectory = await context.trajectory(id);
    const { tokenizer, stopTokens, contextTokens } = context.engine;
    const scores: ActionScores = { trajectoryId: id, checkpoint: reference, refusal: null, turns: [] };
    try {
      const calls = recordedCalls(trajectory, { scaffold: openScaffold(scaffold), tokenizer, stopTokens });
      const acting = calls.filter(({ call }) => call === 'action');
      requireRoom(acting, contextTokens);
      scores.turns = await scoreTurns(trajectory.turns, acting, sampler, context);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      scores.refusal = error.message;
      yield logEvent('warn', `trajectory ${id} was not scored: ${error.message}`);
    }
    if (context.signal.aborted) return;
    yield { kind: 'actions:scored', scored: scores };
  }
  yield { kind: 'step:finished', step: 1, steps: 1 };
}

/** Throws `invalid_input` where a call is longer than the checkpoint's context. */
function requireRoom(calls: readonly CallTokens[], contextTokens: number): void {
  const turn = calls.findIndex(({ prompt, reply }) => prompt.length + reply.length > contextTokens);
  const call = calls[turn];
  if (call)
    throw new AppError(
      'invalid_input',
      `turn ${turn} has ${call.prompt.length + call.reply.length} tokens, the checkpoint has room for ${contextTokens}`,
    );
}

async function scoreTurns(
  turns: readonly Turn[],
  calls: readonly CallTokens[],
  sampler: SamplingClient,
  { engine, signal }: RecipeContext,
): Promise<TurnScore[]> {
  const scored: TurnScore[] = [];
  for (const [index, { prompt, reply }] of calls.entries()) {
    const turn = turns[index];
    if (signal.aborted) break;
    if (!turn || reply.length === 0) continue;
    const logprobs = (await sampler.computeLogprobs([...prompt, ...reply])).slice(prompt.length);
    const span = actionTokens(turn, engine.stopTokens);
    scored.push({
      turn: index,
      action: span && { part: span.part, ...sumOf(logprobs.slice(span.from, span.to)) },
      reply: sumOf(logprobs),
    });
  }
  return scored;
}

function sumOf(logprobs: readonly number[]): TurnScore['reply'] {
  const sum = logprobs.reduce((total, logprob) => total + logprob, 0);
  return { logprob: Number.isFinite(sum) ? sum : null, tokens: logprobs.length };
}
