import { z } from 'zod';
import { evaluationKey, EvaluationResult } from '@/contract/evaluation';
import { Trajectory } from '@/contract/trajectory';
import type { EarlierEvaluations } from '@/rl/recipes/earlier-evaluations';
import type { Countable } from '@/rl/recipes/evaluation';
import { getAnswer } from '../connection/rest-answer';

const PAGE = 500;

const Evaluations = z.array(z.object({ evaluation: EvaluationResult }));
const Page = z.object({
  trajectories: z.array(
    Trajectory.pick({
      taskId: true,
      taskType: true,
      turnsCount: true,
      invalidActions: true,
      stopReason: true,
      // Played by a worker: neither is missing.
    }).extend({ success: z.boolean(), reward: z.number() }),
  ),
  /** Asks for the next page; null on the last one. */
  next: z.string().nullable(),
});

/** What the server has of a run's evaluations from its earlier attempts. Waits while the server is away. */
export async function earlierEvaluationsOf(
  serverUrl: string,
  runId: string,
  signal: AbortSignal,
): Promise<EarlierEvaluations> {
  const run = `/runs/${encodeURIComponent(runId)}`;
  const rows = await getAnswer(serverUrl, `${run}/evaluations`, Evaluations, signal);
  const finished = new Map(rows.map(({ evaluation }) => [evaluationKey(evaluation), evaluation]));
  return {
    finished,
    async trajectoriesOf(key) {
      const played = new Map<string, Countable>();
      let after: string | null = null;
      do {
        const query = new URLSearchParams({
          phase: 'eval',
          evaluation: key,
          order: 'newest',
          limit: String(PAGE),
          ...(after !== null && { after }),
        });
        const page: z.infer<typeof Page> = await getAnswer(
          serverUrl,
          `${run}/trajectories?${query.toString()}`,
          Page,
          signal,
        );
        for (const { taskId, ...counted } of page.trajectories)
          if (!played.has(taskId)) played.set(taskId, counted);
        after = page.next;
      } while (after !== null);
      return played;
    },
  };
}
