import type { ReactNode } from 'react';

/** A short neutral label, such as a seed or an id. */
export function Tag({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className="inline-flex h-4.25 items-center rounded-sm border border-line bg-surface px-1.25 text-xs whitespace-nowrap text-ink-2"
    >
      {children}
    </span>
  );
}
