import { Equal, EqualApproximately, EqualNot, Repeat, Split, type LucideIcon } from 'lucide-react';
import type { AlignedRow } from '@/stats/alignment';
import { Icon } from '@/components/ui/icon';
import { classNames } from '@/components/ui/class-names';
import { Kbd } from '@/components/ui/kbd';
import { Panel, PanelHead } from '@/components/ui/panel';
import { keepInView } from '@/components/trajectory/keep-in-view';
import { stopSentence } from '@/components/trajectory/outcome';
import { ActionText, LoopStart, VerdictIcon } from '@/components/trajectory/verdict';
import { foldRows, type PairModel, type SideModel } from './pair-model';

interface SpineProps {
  model: PairModel;
  row: number;
  go: (row: number) => void;
  /** Long loops are shown in full. */
  unfolded: boolean;
  onUnfold: (unfolded: boolean) => void;
}

/** The zipper between the sides: aligned actions, equal or not, the divergence as a fork, loops folded. */
export function Spine({ model, row, go, unfolded, onUnfold }: SpineProps) {
  const entries = unfolded
    ? model.rows.map((_, index) => ({ kind: 'row' as const, row: index }))
    : foldRows(model, row);
  return (
    <Panel>
      <PanelHead title="Aligned turns" caption="by action and state">
        <span className="flex gap-1 text-xs text-ink-3">
          <Kbd>[</Kbd>
          <Kbd>]</Kbd> divergence
        </span>
      </PanelHead>
      <table className="w-full table-fixed border-collapse text-mono">
        <colgroup>
          <col />
          <col className="w-15" />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Action of A</th>
            <th scope="col">Row</th>
            <th scope="col">Action of B</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) =>
            entry.kind === 'row' ? (
              <SpineRow key={entry.row} model={model} index={entry.row} current={entry.row === row} go={go} />
            ) : (
              <tr key={`fold-${entry.first}`} className="border-b border-line bg-surface-2">
                <td colSpan={3} className="px-2 py-0.75 text-center text-xs text-ink-2">
                  <Icon of={Repeat} size="small" className="text-bad" /> rows {entry.first + 1}–
                  {entry.last + 1}, the same again{' '}
                  <button type="button" className="text-link" onClick={() => onUnfold(true)}>
                    show
                  </button>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </Panel>
  );
}

const RELATION_WORDS = {
  equal: 'equal',
  same_action: 'the same action in another state',
  different: 'different',
  only_a: 'only A',
  only_b: 'only B',
} as const;

const RELATION_ICONS: Record<AlignedRow['relation'], LucideIcon> = {
  equal: Equal,
  same_action: EqualApproximately,
  different: EqualNot,
  only_a: EqualNot,
  only_b: EqualNot,
};

function SpineRow({
  model,
  index,
  current,
  go,
}: {
  model: PairModel;
  index: number;
  current: boolean;
  go: (row: number) => void;
}) {
  const aligned = model.rows[index];
  if (!aligned) return null;
  const parts = model.divergences.includes(index);
  const comparable = model.a.played !== null && model.b.played !== null;
  const relationIcon = parts ? Split : RELATION_ICONS[aligned.relation];
  return (
    <tr
      ref={current ? keepInView : undefined}
      onClick={() => go(index)}
      className={classNames(
        'h-6.25 cursor-pointer scroll-my-12 border-b border-line last:border-b-0',
        current ? 'bg-selected' : 'hover:bg-hover',
        parts && 'border-t border-t-ink-2 [border-top-style:dashed]',
      )}
    >
      <td className="px-2 text-right">
        <SpineAction side={model.a} turn={aligned.a} index={index} model={model} />
      </td>
      <td className="h-px border-x border-line bg-surface-2 p-0 text-center text-xs">
        <button
          type="button"
          onClick={() => go(index)}
          aria-current={current ? 'step' : undefined}
          aria-label={`Row ${index + 1}, ${parts ? 'the sides part here' : RELATION_WORDS[aligned.relation]}`}
          className={classNames(
            'flex h-full min-h-6.25 w-full items-center justify-center gap-1.5',
            current ? 'bg-ink text-ink-inv' : 'text-ink-2',
          )}
        >
          {index + 1}
          {comparable ? <Icon of={relationIcon} size="small" /> : null}
        </button>
      </td>
      <td className="px-2">
        <SpineAction side={model.b} turn={aligned.b} index={index} model={model} />
      </td>
    </tr>
  );
}

/** A side's action in a row; where it has none, how it ended, said once in the first row after its end. */
function SpineAction({
  side,
  turn,
  index,
  model,
}: {
  side: SideModel;
  turn: number | null;
  index: number;
  model: PairModel;
}) {
  const { played, name } = side;
  if (!played) return <span className="font-sans text-xs text-ink-3">{index === 0 ? 'not probed' : ''}</span>;
  if (turn === null) {
    const last = played.trajectory.turns.length - 1;
    const justEnded = index > 0 && model.rows[index - 1]?.[name] === last;
    return justEnded ? (
      <span className="block truncate font-sans text-xs text-ink-3" title={stopSentence(played.trajectory)}>
        {stopSentence(played.trajectory)}
      </span>
    ) : null;
  }
  const record = played.trajectory.turns[turn];
  const mark = played.marks[turn];
  if (!record || !mark) return null;
  return (
    <span
      className={classNames(
        'flex min-w-0 items-center gap-1.5',
        name === 'a' && 'flex-row-reverse text-right',
      )}
    >
      <VerdictIcon mark={mark} />
      <span className="min-w-0 py-1 break-words">
        <ActionText turn={record} />
      </span>
      <LoopStart mark={mark} turn={turn} />
    </span>
  );
}
