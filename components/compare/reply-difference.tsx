import { diffWordsWithSpace } from 'diff';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Kbd } from '@/components/ui/kbd';
import { Panel, PanelHead } from '@/components/ui/panel';
import { PlainText } from '@/components/trajectory/plain-text';
import { positionAt, type PairModel, type SideModel } from './pair-model';

/** Longer replies are not compared in the browser: words alone would take seconds. Characters of both sides. */
const MOST_CHARACTERS = 40_000;

/** Words of A’s reply that B’s lacks and the other way round, at the turns where the sides stand. */
export function ReplyDifference({
  model,
  row,
  open,
  onOpen,
}: {
  model: PairModel;
  row: number;
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  const [a, b] = [replyAt(model, row, model.a), replyAt(model, row, model.b)];
  return (
    <Panel>
      <PanelHead title="Difference of replies" caption={open ? undefined : differenceCaption(a, b)}>
        <Button size="small" onClick={() => onOpen(!open)} aria-expanded={open}>
          {open ? 'Hide' : 'Show'} <Kbd>d</Kbd>
        </Button>
      </PanelHead>
      {open ? (
        <div className="px-2.5 py-1.5">
          {a === null || b === null ? (
            <p className="text-sm text-ink-2">
              Only one side has a turn here, so there is nothing to compare.
            </p>
          ) : (
            <Words a={a} b={b} />
          )}
        </div>
      ) : null}
    </Panel>
  );
}

function differenceCaption(a: string | null, b: string | null): string {
  if (a === null || b === null) return 'one reply';
  return a === b ? 'none, letter by letter' : 'they differ';
}

/** The reply of the turn at which a side stands: the row’s, or its next one where it waits. */
function replyAt(model: PairModel, row: number, side: SideModel): string | null {
  return side.played?.trajectory.turns[positionAt(model.rows, row, side.name)]?.reply ?? null;
}

function Words({ a, b }: { a: string; b: string }) {
  if (a === b)
    return <p className="text-sm text-ink-2">No difference: the replies are the same, letter by letter.</p>;
  if (a.length + b.length > MOST_CHARACTERS)
    return (
      <p className="text-sm text-ink-2">
        Not compared: {(a.length + b.length).toLocaleString('en-US')} characters, of at most{' '}
        {MOST_CHARACTERS.toLocaleString('en-US')}. Both replies are shown in full beside.
      </p>
    );
  return (
    <>
      <p className="font-mono text-sm/5 break-words whitespace-pre-wrap">
        {diffWordsWithSpace(a, b).map(({ value, added, removed }, index) => {
          const Mark = removed ? 'del' : added ? 'ins' : 'span';
          return (
            <Mark
              key={index}
              className={classNames(
                removed && 'bg-a-bg text-a line-through',
                added && 'bg-b-bg text-b no-underline',
              )}
            >
              <PlainText text={value} />
            </Mark>
          );
        })}
      </p>
      <p className="mt-1 text-xs text-ink-3">
        By words: <del className="bg-a-bg text-a">A alone</del>,{' '}
        <ins className="bg-b-bg text-b no-underline">B alone</ins>.
      </p>
    </>
  );
}
