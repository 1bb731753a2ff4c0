import type { ReactNode } from 'react';
import { OctagonAlert } from 'lucide-react';
import { Button } from './button';
import { Icon } from './icon';

/** Stands in for content that is on its way, with the content's height; shows after 300 ms. */
export function Skeleton({ height, label = 'Loading' }: { height: number; label?: string }) {
  const lines = Math.max(1, Math.floor(height / 28));
  return (
    <div role="status" aria-label={label} className="appear-late overflow-hidden p-2.5" style={{ height }}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="skeleton mb-4.5 h-2.5" style={{ width: `${92 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** Nothing here yet: what will appear, when, and how to make it appear. */
export function EmptyState({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-start gap-2 px-4 py-6 text-sm">
      <p className="text-md font-semibold wrap-anywhere">{title}</p>
      {children !== undefined && <div className="max-w-[70ch] text-ink-2">{children}</div>}
      {actions !== undefined && <div className="flex max-w-full flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

/** What could not be read and why, with a way to try again. */
export function ErrorState({
  title,
  message,
  onRetry,
}: {
  title: string;
  message: string;
  onRetry: () => void;
}) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 px-4 py-6 text-sm">
      <p className="flex items-center gap-1.5 text-md font-semibold">
        <Icon of={OctagonAlert} className="text-bad" />
        {title}
      </p>
      <p className="max-w-[90ch] break-words text-ink-2">{message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** A figure or chart that this run does not have, and the setting that would record it. */
export function NotRecorded({ children }: { children?: ReactNode }) {
  return (
    <div className="p-2.5 text-sm text-ink-3">
      <p className="text-ink-2">Not recorded.</p>
      {children}
    </div>
  );
}
