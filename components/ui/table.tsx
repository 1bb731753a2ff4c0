import type { ComponentProps } from 'react';
import { classNames } from './class-names';

/** A table that scrolls within itself rather than widening the page. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <div className="overflow-x-auto">
      <table {...props} className={classNames('w-full border-collapse text-sm', className)} />
    </div>
  );
}

export function HeadCell({ numeric, className, ...props }: { numeric?: boolean } & ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      {...props}
      className={classNames(
        'border-b border-line-2 px-2 py-1.25 align-bottom text-xs font-medium whitespace-nowrap text-ink-3',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
    />
  );
}

export function Row({ selected, className, ...props }: { selected?: boolean } & ComponentProps<'tr'>) {
  return (
    <tr
      aria-selected={selected}
      {...props}
      className={classNames(
        'border-b border-line last:border-b-0',
        selected ? 'bg-selected shadow-[inset_2px_0_var(--ink)]' : 'hover:bg-hover',
        className,
      )}
    />
  );
}

export function Cell({ numeric, className, ...props }: { numeric?: boolean } & ComponentProps<'td'>) {
  return (
    <td
      {...props}
      className={classNames(
        'px-2 py-1 align-middle',
        numeric && 'text-right whitespace-nowrap tabular-nums',
        className,
      )}
    />
  );
}

/** A row that names the rows below it. */
export function GroupRow({ columns, ...props }: { columns: number } & ComponentProps<'td'>) {
  return (
    <tr className="border-b border-line bg-surface-2">
      <td {...props} colSpan={columns} className="px-2 py-0.75 text-xs font-medium text-ink-2" />
    </tr>
  );
}
