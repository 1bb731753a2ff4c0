/**
 * StraTA's critical self-judgment: the policy that played is shown its strategy and trajectory and names the turns that
 * neither followed the one nor advanced the task. What it answers is not trained on. The source's prompt is not public.
 */
import type { ChatMessage, SamplingClient } from '@/contract/engine';
import type { StrataConfig } from '@/contract/recipes/strata';
import type { Trajectory } from '@/contract/trajectory';
import type { PlayedEpisode } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { onlyTagged } from '@/rl/scaffolds/tagged-text';
import { playDefaults } from './evaluation';
import type { RunSetup } from './setup';

/** Indices of turns that an episode's policy named; null where it was not asked or its answer could not be read. */
export type NamedTurns = number[] | null;

/** Marks a trajectory whose policy was asked and gave no answer that can be read. */
export const UNREADABLE = 'self_judgment_unreadable';

/**
 * Asks about each episode, in their order, with the weights that played them. A trajectory too long to be shown is not asked
 * about.
 */
export async function judgeOwnTurns(
  setup: RunSetup<StrataConfig>,
  sampler: SamplingClient,
  step: number,
  episodes: readonly PlayedEpisode[],
): Promise<NamedTurns[]> {
  const { config, context } = setup;
  const { tokenizer, stopTokens } = context.engine;
  const { temperature, maxReplyTokens } = config.rollout;
  const { maxPromptTokens } = playDefaults(setup);
  const named = episodes.map((): NamedTurns => null);
  const asked = episodes.flatMap(({ trajectory }, index) => {
    const prompt = tokenizer.encodeChat(judgmentMessages(trajectory));
    return trajectory.turnsCount > 0 && prompt.length <= maxPromptTokens
      ? [{ index, trajectory, prompt }]
      : [];
  });
  const lanes = Array.from({ length: sampler.lanes }, (_, lane) =>
    asked.filter((_, i) => i % sampler.lanes === lane),
  );
  await Promise.all(
    lanes.map(async (calls, lane) => {
      if (calls.length === 0) return;
      const replies = await sampler.sampleBatch(
        calls.map(({ prompt, trajectory }) => ({
          prompt,
          seed: hashSeed(config.seed, 'self-judgment', step - 1, trajectory.taskId, trajectory.sample),
          params: { maxTokens: maxReplyTokens, temperature, stopTokens },
        })),
        lane,
      );
      calls.forEach(({ index, trajectory }, i) => {
        const reply = (replies[i]?.tokens ?? []).filter((id) => !stopTokens.includes(id));
        const turns = namedTurns(tokenizer.decode(reply), trajectory.turnsCount);
        if (turns === null) trajectory.flags.push(UNREADABLE);
        named[index] = turns;
      });
    }),
  );
  return named;
}

/** The prompt: task, strategy, every turn numbered from 1, and how it ended. */
export function judgmentMessages({
  goal,
  strategy,
  turns,
  success,
  finalObservation,
}: Trajectory): ChatMessage[] {
  const told = turns.map(
    ({ observation, action }, i) => `[${i + 1}] You saw: ${observation}\nYou did: ${action}`,
  );
  const content = `You have acted in a text world. Your task was: ${goal}
Your strategy was: ${strategy ?? '(none)'}

${told.join('\n')}
At the end you saw: ${finalObservation ?? ''}
The task was ${success ? '' : 'not '}fulfilled.

Be critical: which of your actions neither followed the strategy nor advanced the task? Write their numbers, separated by commas, within <steps> </steps>, and nothing within it where there is none.`;
  return [{ role: 'user', content }];
}

/** Reads the numbers within the only `<steps>...</steps>` as indices from 0, each once, without turns that there are not; null for anything else. */
export function namedTurns(reply: string, turnsCount: number): NamedTurns {
  const text = onlyTagged(reply, 'steps')?.text;
  if (text === undefined) return null;
  if (text === '') return [];
  if (!/^\d+(\s*,\s*\d+)*$/.test(text)) return null;
  const turns = text.split(',').map((number) => Number(number) - 1);
  return [...new Set(turns)].filter((turn) => turn >= 0 && turn < turnsCount);
}
