import { costOf } from '@/contract/cost';
import type { ChatEndpoint } from '@/contract/endpoint';
import type { TokenCounts } from '@/contract/engine';
import type { JudgeSettings } from '@/contract/recipes/turn-judge';
import { orTooLong } from '@/rl/endpoint/or-too-long';
import { countsSince } from '@/rl/learning/token-counts';
import { hashSeed } from '@/rl/random';
import { waitFor } from '@/rl/recipes/waiting';
import type { DrawnTurn, Judge } from './judge';
import { judgePrompt, readScore } from './judge-prompt';

/**
 * A language model as a judge. An answer without a score is asked for again, with another seed, up to `tries` times; the turn
 * then has none, nor has one whose prompt is longer than the judge's context.
 */
export function endpointJudge(
  endpoint: ChatEndpoint,
  settings: JudgeSettings,
  { seed, signal }: { seed: number; signal: AbortSignal },
): Judge {
  const promptOf = judgePrompt(settings.template);

  async function scoreOf({ task, episode, turn }: DrawnTurn, step: number): Promise<ScoredTurn> {
    const { trajectory } = episode;
    const messages = promptOf(trajectory, turn);
    for (let answers = 1; ; answers++) {
      const reply = await orTooLong(
        endpoint.chat({
          messages,
          maxTokens: settings.maxReplyTokens,
          temperature: settings.temperature,
          seed: hashSeed(seed, 'judge', step, task.id, trajectory.sample, turn, answers),
        }),
      );
      if (reply === null) return { score: null, answers: answers - 1 };
      const score = readScore(reply.content);
      if (score !== null || answers === settings.tries) return { score, answers };
    }
  }

  return {
    name: { kind: 'llm', name: endpoint.settings.model },
    async *judge(turns, step) {
      const before = endpoint.counts();
      const work = Promise.all(turns.map((turn) => scoreOf(turn, step)));
      const scored = yield* waitFor(work, endpoint, signal);
      if (!scored) return null;
      return {
        scores: scored.map(({ score }) => score),
        metrics: known({
          'judge/unreadable_rate': unreadableRate(scored),
          ...usageOf(countsSince(before, endpoint.counts()), endpoint.settings.prices),
        }),
      };
    },
  };
}

interface ScoredTurn {
  score: number | null;
  /** Given. */
  answers: number;
}

function unreadableRate(scored: readonly ScoredTurn[]): number {
  const answers = scored.reduce((sum, each) => sum + each.answers, 0);
  const readable = scored.filter(({ score }) => score !== null).length;
  return (answers - readable) / answers;
}

/** What the endpoint says that it used, and what that cost; NaN for what it does not say. */
function usageOf(
  { prefilled, reused, sampled }: TokenCounts,
  prices: ChatEndpoint['settings']['prices'],
): Record<string, number> {
  const tokens = {
    prefilled: orNull(prefilled),
    reused: orNull(reused),
    sampled: orNull(sampled),
    trained: 0,
  };
  const total = prices && costOf(tokens, { ...prices, trainPerMillion: 0 }).total;
  return {
    'tokens/judge/prefilled': prefilled,
    'tokens/judge/reused': reused,
    'tokens/judge/sampled': sampled,
    'cost/judge': total ?? NaN,
  };
}

function orNull(count: number): number | null {
  return Number.isNaN(count) ? null : count;
}

function known(metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => !Number.isNaN(value)));
}
