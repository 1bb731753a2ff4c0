import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** A key. `inverted` is for keys on the primary button. */
export function Kbd({ children, inverted = false }: { children: ReactNode; inverted?: boolean }) {
  return (
    <kbd
      className={classNames(
        'inline-block h-4 min-w-4.25 rounded-md border px-1 text-center font-mono text-[10.5px]/[15px]',
        inverted ? 'border-current text-inherit opacity-75' : 'border-line-2 bg-surface text-ink-2',
      )}
    >
      {children}
    </kbd>
  );
}
