'use client';
import { WifiOff } from 'lucide-react';
import { formatAgo } from '@/contract/format';
import { useLive } from '@/components/data/live';
import { useNow } from '@/components/data/now';
import { Icon } from '@/components/ui/icon';
import { Note } from '@/components/ui/panel';
import { formatClock } from '@/components/ui/time';

/** Says how old the figures are while the server is not heard. */
export function StaleNote() {
  const { since } = useLive();
  const now = useNow();
  return (
    <div className="pt-2.5">
      <Note tone="warn" role="status">
        <Icon of={WifiOff} className="mt-0.5 text-warn" />
        <span>
          The server is away. Shown as of{' '}
          {since !== null && now !== null
            ? `${formatClock(since)}, ${formatAgo(since, now)}`
            : 'the last answer'}
          . Training is not affected. Trying again every few seconds.
        </span>
      </Note>
    </div>
  );
}
