import type { TurnMark } from '@/stats/turn-marks';
import { classNames } from '@/components/ui/class-names';
import { markWords } from './verdict';

/** One cell a turn, marked by its verdict, and one for the final state. */
export function TurnRail({
  marks,
  position,
  go,
}: {
  marks: readonly TurnMark[];
  /** Index of the turn that is shown; `marks.length` = the final state. */
  position: number;
  go: (position: number) => void;
}) {
  return (
    <div
      className="grid flex-1 grid-cols-[repeat(auto-fit,minmax(22px,1fr))] gap-0.5"
      role="group"
      aria-label="Turns"
    >
      {marks.map((mark, index) => (
        <RailCell
          key={index}
          label={`Turn ${index + 1}: ${markWords(mark)}`}
          look={cellLook(mark)}
          current={index === position}
          onClick={() => go(index)}
        >
          {index + 1}
        </RailCell>
      ))}
      <RailCell
        label="Final state"
        look="bg-surface-2 text-ink-2"
        current={position === marks.length}
        onClick={() => go(marks.length)}
      >
        end
      </RailCell>
    </div>
  );
}

function RailCell({
  label,
  look,
  current,
  onClick,
  children,
}: {
  label: string;
  look: string;
  current: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-current={current ? 'step' : undefined}
      onClick={onClick}
      className={classNames(
        'h-4.25 rounded-sm text-center text-[10.5px]/[17px]',
        look,
        current && 'font-semibold outline-2 outline-offset-1 outline-ink',
      )}
    >
      {children}
    </button>
  );
}

/** Fill and inner frame of a turn's cell by its verdict. */
export function cellLook(mark: TurnMark): string {
  switch (mark.verdict) {
    case 'not_in_list':
    case 'no_action':
    case 'refused':
      return 'bg-bad-bg text-bad inset-ring inset-ring-bad';
    case 'no_op':
      return 'bg-surface-2 text-ink-2 inset-ring inset-ring-line-2';
    case 'in_list':
    case 'no_list':
      return mark.loop ? 'bg-line text-ink-2 inset-ring inset-ring-bad' : 'bg-line text-ink-2';
  }
}
