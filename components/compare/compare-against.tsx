import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import type { ComparisonVerdict } from '@/stats/comparison-verdict';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Cell } from '@/components/ui/table';
import type { Against } from './compare-table';
import {
  againstWords,
  countNotes,
  differenceInterval,
  differenceWords,
  sharedWords,
  METHOD_WORDS,
  pairingWords,
  testWords,
} from './compare-words';
import type { Played } from './played';

/** The difference to the baseline with its interval, and the verdict with its test. */
export function AgainstCells({ against, adjusted }: { against: Against | null; adjusted: boolean }) {
  if (against === null)
    return (
      <Cell colSpan={2} className="text-center text-ink-3">
        baseline
      </Cell>
    );
  if (against.kind !== 'compared')
    return (
      <Cell colSpan={2} className="max-w-70 text-xs text-ink-3">
        {againstWords(against)}
      </Cell>
    );
  const { comparison, verdict, differences } = against;
  const shared = sharedWords(comparison);
  return (
    <>
      <Cell numeric>
        <span className={classNames('font-medium', verdict.kind === 'not_compared' && 'text-ink-3')}>
          {differenceWords(comparison)}
        </span>
        <span className="block text-xs text-ink-3">{differenceInterval(comparison)}</span>
        {shared && <span className="block text-xs text-ink-3">{shared}</span>}
      </Cell>
      <Cell className="max-w-72 min-w-52" title={METHOD_WORDS[comparison.method]}>
        <VerdictWords verdict={verdict}>{againstWords(against)}</VerdictWords>
        <span className="block text-xs text-ink-3">
          {verdict.kind !== 'not_compared' && `${testWords(against, adjusted)}; `}
          {pairingWords(comparison)}
          {differences.length > 0 && `; unlike: ${differences.map(({ words }) => words).join('; ')}`}
        </span>
      </Cell>
    </>
  );
}

/** A verdict with its sign; colour repeats what the words say. */
function VerdictWords({ verdict, children }: { verdict: ComparisonVerdict; children: string }) {
  switch (verdict.kind) {
    case 'higher':
      return (
        <span className="font-medium whitespace-nowrap text-ok">
          <Icon of={ArrowUp} size="small" /> {children}
        </span>
      );
    case 'lower':
      return (
        <span className="font-medium whitespace-nowrap text-bad">
          <Icon of={ArrowDown} size="small" /> {children}
        </span>
      );
    case 'equivalent':
    case 'not_distinguishable':
      return (
        <span className="text-ink-2">
          <Icon of={Equal} size="small" /> {children}
        </span>
      );
    case 'not_compared':
      return <span className="text-ink-3">{children}</span>;
  }
}

/** What of a cell's trajectories has to be known to read its figure: errors, limits, what is not in it. */
export function CountNotes({ played }: { played: Played }) {
  const notes = countNotes(played);
  return notes.length === 0 ? null : (
    <span className="block max-w-52 text-xs whitespace-normal text-ink-3">{notes.join('; ')}</span>
  );
}
