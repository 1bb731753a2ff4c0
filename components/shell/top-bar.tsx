'use client';
import { Link } from '@/components/ui/link';
import { usePathname } from 'next/navigation';
import { Keyboard, Server } from 'lucide-react';
import { useWorkers } from '@/components/data/run-queries';
import { IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { ThemeToggle } from '@/components/ui/theme-toggle';
import { Wordmark } from '@/components/ui/wordmark';

/** The screens of the bar, each with the key that follows `g` and the addresses that lie within it beside its own. */
export const SCREENS = [
  { href: '/runs', title: 'Runs', key: 'r', within: [] },
  { href: '/trajectories', title: 'Trajectories', key: 't', within: [] },
  { href: '/launch', title: 'Launch', key: 'l', within: [] },
  { href: '/compare', title: 'Compare', key: 'c', within: [] },
  { href: '/play', title: 'Play', key: 'p', within: [] },
  { href: '/reports', title: 'Reports', key: 'e', within: [] },
  { href: '/imports', title: 'Imports', key: 'i', within: [] },
  { href: '/workers', title: 'Workers', key: 'w', within: [] },
] as const;

export function TopBar({ onKeyMap }: { onKeyMap: () => void }) {
  const path = usePathname();
  return (
    <header className="sticky top-0 z-20 flex h-10 items-center gap-1 border-b border-line bg-surface px-4 print:hidden">
      <Link
        href="/runs"
        className="mr-3.5 flex items-center gap-1.75 font-semibold tracking-[-0.01em] no-underline"
      >
        <Wordmark />
      </Link>
      <nav aria-label="Main" className="flex h-full gap-0.5">
        {SCREENS.map((screen) => {
          const current = [screen.href, ...screen.within].some(
            (href) => path === href || path.startsWith(`${href}/`),
          );
          return (
            <Link
              key={screen.href}
              href={screen.href}
              aria-current={current ? 'page' : undefined}
              className={classNames(
                'flex items-center border-y-2 border-t-transparent px-2.5 no-underline',
                current
                  ? 'border-b-ink font-medium text-ink'
                  : 'border-b-transparent text-ink-2 hover:text-ink',
              )}
            >
              {screen.title}
            </Link>
          );
        })}
      </nav>
      <div className="ml-auto flex items-center gap-1">
        <WorkersWord />
        <ThemeToggle />
        <IconButton label="Keys" onClick={onKeyMap}>
          <Icon of={Keyboard} />
        </IconButton>
      </div>
    </header>
  );
}

function WorkersWord() {
  const { data } = useWorkers();
  if (!data) return null;
  const connected = data.filter((worker) => worker.connected);
  const busy = connected.filter((worker) => worker.runId !== null).length;
  return (
    <Link
      href="/workers"
      className="mr-1.5 flex h-6.5 items-center gap-1.5 rounded-md px-2 text-sm font-medium text-ink-2 no-underline hover:bg-hover"
    >
      <Icon of={Server} />
      {connected.length === 0
        ? 'no worker connected'
        : `${busy} of ${connected.length} ${connected.length === 1 ? 'worker' : 'workers'} busy`}
    </Link>
  );
}
