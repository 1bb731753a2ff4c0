import type { ReactNode } from 'react';

/** A labelled part of a turn, under the one before it. */
export function Block({ label, aside, children }: { label: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="border-b border-line px-2.5 pt-1.75 pb-2 last:border-b-0">
      <div className="mb-0.75 flex min-h-4 flex-wrap items-center justify-between gap-x-2">
        <h3 className="text-xs font-medium text-ink-3">{label}</h3>
        {aside}
      </div>
      {children}
    </div>
  );
}
