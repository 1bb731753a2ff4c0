'use client';
import { useState, type ReactNode } from 'react';
import { useRouter } from 'next/navigation';
import { KeyMapDialog } from '@/components/ui/key-map-dialog';
import { useKeyListener, useKeys } from '@/components/ui/key-map';
import { StaleNote } from './stale-note';
import { StatusLine } from './status-line';
import { SCREENS, TopBar } from './top-bar';
import { useLive } from '@/components/data/live';
import { classNames } from '@/components/ui/class-names';

/** Bar, page, status line: the frame that every screen sits in. */
export function Shell({ children }: { children: ReactNode }) {
  const [keyMapOpen, setKeyMapOpen] = useState(false);
  const router = useRouter();
  const { phase } = useLive();
  useKeyListener();
  useKeys([
    { keys: ['?'], label: 'all keys', run: () => setKeyMapOpen(true) },
    ...SCREENS.map((screen) => ({
      keys: [`g ${screen.key}`],
      label: `go to ${screen.title}`,
      run: () => router.push(screen.href),
    })),
    {
      keys: ['y'],
      label: 'copy link',
      run: () => void navigator.clipboard.writeText(window.location.href),
    },
  ]);
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <TopBar onKeyMap={() => setKeyMapOpen(true)} />
      <main id="content" className="mx-auto w-full max-w-[1920px] min-w-0 px-4 pb-7">
        {phase === 'away' && <StaleNote />}
        <div className={classNames(phase === 'away' && 'opacity-60')}>{children}</div>
      </main>
      <StatusLine onKeyMap={() => setKeyMapOpen(true)} />
      <KeyMapDialog open={keyMapOpen} onOpenChange={setKeyMapOpen} />
    </>
  );
}
