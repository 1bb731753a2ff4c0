'use client';
import { useIsFetching } from '@tanstack/react-query';
import { CircleDashed, CircleDot, WifiOff } from 'lucide-react';
import { formatAgo } from '@/contract/format';
import { useLive } from '@/components/data/live';
import { useNow } from '@/components/data/now';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useBoundKeys } from '@/components/ui/key-map';
import { KeyHint } from '@/components/ui/key-map-dialog';

const HINTS_SHOWN = 8;

/** Freshness at the left, the page's keys, the time zone at the right; quiet, one line, never moving. */
export function StatusLine({ onKeyMap }: { onKeyMap: () => void }) {
  const hints = useBoundKeys().filter((binding) => binding.hint);
  return (
    <footer className="sticky bottom-0 z-20 mt-auto flex h-6.5 items-center gap-4.5 border-t border-line bg-surface px-4 text-xs whitespace-nowrap text-ink-3 print:hidden">
      <Freshness />
      <div className="flex min-w-0 flex-1 gap-3.5 overflow-hidden">
        {hints.slice(0, HINTS_SHOWN).map((binding) => (
          <span key={binding.keys.join() + binding.label} className="flex items-center gap-1.25">
            <KeyHint binding={binding} />
            {binding.label}
          </span>
        ))}
      </div>
      <TimeZone />
      <button type="button" onClick={onKeyMap} className="flex items-center gap-1.25 hover:text-ink">
        <Kbd>?</Kbd> all keys
      </button>
    </footer>
  );
}

function Freshness() {
  const { phase, lastEventAt } = useLive();
  const now = useNow();
  const updating = useIsFetching() > 0;
  const last = lastEventAt !== null && now !== null ? ` · last event ${formatAgo(lastEventAt, now)}` : '';
  return (
    <span className="flex min-w-45 items-center gap-1.25" aria-live="off">
      {phase === 'live' && <Icon of={CircleDot} size="small" className="text-ok" />}
      {phase === 'connecting' && <Icon of={CircleDashed} size="small" />}
      {phase === 'away' && <Icon of={WifiOff} size="small" className="text-warn" />}
      {phase === 'live' && `${updating ? 'Updating' : 'Live'}${last}`}
      {phase === 'connecting' && 'Connecting'}
      {phase === 'away' && 'Server away'}
    </span>
  );
}

function TimeZone() {
  const now = useNow();
  if (now === null) return null;
  const minutes = -new Date(now).getTimezoneOffset();
  const sign = minutes < 0 ? '−' : '+';
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return <span>Times in UTC{minutes === 0 ? '' : `${sign}${two(minutes / 60)}:${two(minutes % 60)}`}</span>;
}
