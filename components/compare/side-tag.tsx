import { classNames } from '@/components/ui/class-names';
import type { SideName } from './pair-model';

/** The letter of a side on its colour. */
export function SideTag({ side, className }: { side: SideName; className?: string }) {
  return (
    <span
      className={classNames(
        'inline-flex size-5 flex-none items-center justify-center rounded-sm text-xs font-semibold text-ink-inv',
        side === 'a' ? 'bg-a' : 'bg-b',
        className,
      )}
    >
      {side.toUpperCase()}
    </span>
  );
}
