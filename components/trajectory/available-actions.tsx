import type { Turn } from '@/contract/trajectory';
import { classNames } from '@/components/ui/class-names';
import { PlainText } from './plain-text';

/** What the environment offered, the action taken marked by frame, weight and a word for readers. */
export function AvailableActions({ turn }: { turn: Pick<Turn, 'availableActions' | 'action'> }) {
  if (turn.availableActions.length === 0)
    return <p className="text-sm text-ink-3">The environment lists none.</p>;
  return (
    <ul className="flex flex-wrap gap-x-1 gap-y-0.75" aria-label="Available actions">
      {turn.availableActions.map((action, index) => {
        const taken = action === turn.action;
        return (
          <li
            key={index}
            className={classNames(
              'rounded-sm border px-1 font-mono text-xs',
              taken ? 'border-ink bg-selected font-semibold text-ink' : 'border-line text-ink-2',
            )}
          >
            <PlainText text={action} />
            {taken ? <span className="sr-only"> (taken)</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
