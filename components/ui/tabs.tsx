import type { ReactNode } from 'react';
import { Link } from './link';
import { classNames } from './class-names';

export interface Tab {
  id: string;
  title: string;
  /** A count beside the title. */
  count?: ReactNode;
  href: string;
}

/** Tabs as links: which one is open is in the URL. */
export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav aria-label={label} className="flex gap-0.5">
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          href={tab.href}
          scroll={false}
          aria-current={tab.id === current ? 'page' : undefined}
          className={classNames(
            '-mb-px border-b-2 px-2.5 pt-1.5 pb-1.75 no-underline',
            tab.id === current
              ? 'border-ink font-medium text-ink'
              : 'border-transparent text-ink-2 hover:text-ink',
          )}
        >
          {tab.title}
          {tab.count !== undefined && <span className="ml-1 text-xs text-ink-3">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
