import type { ChatEndpoint } from '@/contract/endpoint';
import type { JudgeSettings } from '@/contract/recipes/turn-judge';
import { orTooLong } from '@/rl/endpoint/or-too-long';
import { askedUsageMetrics } from '@/rl/learning/cost';
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
        metrics: {
          ...unreadableMetric(scored),
          ...askedUsageMetrics('judge', countsSince(before, endpoint.counts()), endpoint.settings.prices),
        },
      };
    },
  };
}

interface ScoredTurn {
  score: number | null;
  /** Given. */
  answers: number;
}

/** None where nothing was answered. */
function unreadableMetric(scored: readonly ScoredTurn[]): Record<string, number> {
  const answers = scored.reduce((sum, each) => sum + each.answers, 0);
  const readable = scored.filter(({ score }) => score !== null).length;
  return answers === 0 ? {} : { 'judge/unreadable_rate': (answers - readable) / answers };
}
