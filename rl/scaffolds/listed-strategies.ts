import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import { recentActions } from './recent-actions';
import type { EpisodeView, Scaffold } from './scaffold';

/**
 * `recent-actions` with a strategy before the first turn, shown with the goal at every turn: one of a list, to which
 * decoding is masked, for models that are too small to write their own.
 */
export function listedStrategies({
  recentActions: count,
  strategies,
  template,
}: ScaffoldConfigOf<'listed-strategies'>): Scaffold {
  const acting = recentActions(count, template);
  const texts = strategies.map(({ strategy }) => strategy);

  /** What the strategy completes before it is there. */
  const withStrategy = (view: EpisodeView): EpisodeView => ({
    ...view,
    goal: `${view.goal}\nStrategy:${view.strategy === null ? '' : ` ${view.strategy}`}`,
  });

  return {
    ...acting,
    id: 'listed-strategies',
    strategyCall: {
      // As later prompts write it after the mark, so that a vocabulary of phrases knows it by the same tokens.
      replies: texts.map((text) => ` ${text}`),
      prompt: (view) => acting.prompt(withStrategy(view)),
      parse: (reply) => texts.find((text) => text === reply.trim()) ?? null,
    },
    prompt: (view) => acting.prompt(withStrategy(view)),
  };
}
