'use client';
import { formatAgo, MISSING } from '@/contract/format';

/** `15:02:11` in the reader's zone. */
export function formatClock(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB');
}

/** `28 Nov 02:51` in the reader's zone; with the year where it is not this one. */
export function formatDate(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const sameYear = date.getFullYear() === new Date(nowMs).getFullYear();
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
  return `${day} ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** How long ago, with the absolute time and zone on hover. */
export function Ago({ at, now }: { at: number | null; now: number | null }) {
  if (at === null) return <span className="text-ink-3">{MISSING}</span>;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={new Date(at).toLocaleString('en-GB', { timeZoneName: 'short' })}
      suppressHydrationWarning
    >
      {now === null ? '' : formatAgo(at, now)}
    </time>
  );
}
