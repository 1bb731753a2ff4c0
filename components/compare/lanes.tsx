import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { CircleCheck } from 'lucide-react';
import { cellLook } from '@/components/trajectory/turn-rail';
import { isPlain, markWords, VERDICTS } from '@/components/trajectory/verdict';
import { listLoops, loopRows, type PairModel, type SideModel } from './pair-model';

/** Lines of the lanes' grid from top to bottom. */
const LINE = { divergence: 1, loopsA: 2, a: 3, b: 4, loopsB: 5, numbers: 6, end: 7 } as const;
const LANE_FILL = { a: 'bg-a/25 text-a', b: 'bg-b/25 text-b' } as const;

interface LanesProps {
  model: PairModel;
  /** Row that is shown, from 0. */
  row: number;
  go: (row: number) => void;
}

/** Both trajectories as lanes, one cell an aligned row: A over B, loops bracketed, the first divergence dashed. */
export function Lanes({ model, row, go }: LanesProps) {
  const { rows, firstDivergence, a, b } = model;
  return (
    <div className="min-w-0 overflow-x-auto px-3 py-1.5">
      <div
        role="group"
        aria-label="Aligned turns"
        className="grid items-center gap-x-0.5 gap-y-0.75"
        style={{ gridTemplateColumns: `24px repeat(${Math.max(rows.length, 1)}, minmax(20px, 1fr))` }}
      >
        {firstDivergence === null ? null : <DivergenceLine row={firstDivergence} rows={rows.length} />}
        <Lane side={a} model={model} line={LINE.a} loopLine={LINE.loopsA} row={row} go={go} />
        <Lane side={b} model={model} line={LINE.b} loopLine={LINE.loopsB} row={row} go={go} />
        {rows.map((aligned, index) => (
          <button
            key={index}
            type="button"
            onClick={() => go(index)}
            aria-current={index === row ? 'step' : undefined}
            aria-label={`Row ${index + 1}${aligned.relation === 'equal' ? ', both sides equal' : ''}`}
            style={{ gridColumn: index + 2, gridRow: LINE.numbers }}
            className={classNames(
              'rounded-sm text-center text-[10.5px]/[14px]',
              index === row ? 'bg-ink font-medium text-ink-inv' : 'text-ink-3 hover:bg-hover',
            )}
          >
            {index + 1}
          </button>
        ))}
        {rows.length > 0 ? (
          <div
            aria-hidden
            className="pointer-events-none -mx-0.5 h-full rounded-sm border-2 border-ink"
            style={{ gridColumn: row + 2, gridRow: `${LINE.a} / ${LINE.loopsB}` }}
          />
        ) : null}
      </div>
    </div>
  );
}

function Lane({
  side,
  model,
  line,
  loopLine,
  row,
  go,
}: LanesProps & { side: SideModel; line: number; loopLine: number }) {
  return (
    <>
      <span
        className={classNames('text-xs font-semibold', side.name === 'a' ? 'text-a' : 'text-b')}
        style={{ gridColumn: 1, gridRow: line }}
      >
        {side.name.toUpperCase()}
      </span>
      {model.rows.map((aligned, index) => {
        const style = { gridColumn: index + 2, gridRow: line };
        const turn = aligned[side.name];
        if (turn === null || !side.played)
          return <span key={index} style={style} className="h-4.25 border-b border-dotted border-line-2" />;
        return (
          <LaneCell
            key={index}
            side={side}
            turn={turn}
            style={style}
            current={index === row}
            onClick={() => go(index)}
          />
        );
      })}
      {listLoops(side).map((loop) => {
        const { first, last } = loopRows(model.rows, side.name, loop);
        return (
          <span
            key={loop.start}
            style={{ gridColumn: `${first + 2} / ${last + 3}`, gridRow: loopLine }}
            title={`loop of period ${loop.period}, ${loop.repeats} times`}
            className={classNames(
              'truncate border border-bad px-1 text-center text-[10.5px]/[13px] font-medium text-bad',
              side.name === 'a' ? 'rounded-t-sm border-b-0' : 'rounded-b-sm border-t-0',
            )}
          >
            loop ×{loop.repeats}
          </span>
        );
      })}
    </>
  );
}

function LaneCell({
  side,
  turn,
  style,
  current,
  onClick,
}: {
  side: SideModel;
  turn: number;
  style: React.CSSProperties;
  current: boolean;
  onClick: () => void;
}) {
  const mark = side.played?.marks[turn];
  const trajectory = side.played?.trajectory;
  if (!mark || !trajectory) return null;
  const won = trajectory.success && turn === trajectory.turns.length - 1;
  const plain = isPlain(mark);
  return (
    <button
      type="button"
      style={style}
      onClick={onClick}
      aria-current={current ? 'step' : undefined}
      aria-label={`${side.name.toUpperCase()} turn ${turn + 1}: ${trajectory.turns[turn]?.action || 'no action'}, ${markWords(mark)}`}
      className={classNames(
        'flex h-4.25 items-center justify-center rounded-sm',
        plain ? LANE_FILL[side.name] : cellLook(mark),
      )}
    >
      {won ? (
        <Icon of={CircleCheck} size="small" />
      ) : plain ? null : (
        <Icon of={VERDICTS[mark.verdict].icon} size="small" />
      )}
    </button>
  );
}

/** Dashed edge before the row at which the sides part, its words at whichever side has room. */
function DivergenceLine({ row, rows }: { row: number; rows: number }) {
  const wordsLeft = row > rows / 2;
  return (
    <>
      <span
        aria-hidden
        className="-ml-0.5 h-full border-l border-dashed border-ink-2"
        style={{ gridColumn: row + 2, gridRow: `${LINE.divergence} / ${LINE.numbers}` }}
      />
      <span
        className={classNames(
          'overflow-hidden px-1 text-[10.5px]/[14px] font-medium whitespace-nowrap text-ink-2',
          wordsLeft && 'text-right',
        )}
        style={{
          gridColumn: wordsLeft ? `2 / ${row + 2}` : `${row + 2} / ${rows + 2}`,
          gridRow: LINE.divergence,
        }}
      >
        first divergence
      </span>
    </>
  );
}
