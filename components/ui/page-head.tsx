import type { ReactNode } from 'react';

/** Title row of a page: crumbs above, title, quiet words beside it, actions at the right. */
export function PageHead({
  crumbs,
  title,
  children,
  actions,
}: {
  crumbs?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex min-h-12 flex-wrap items-end gap-x-3 gap-y-1 pt-2.5 pb-2">
      <div className="flex min-w-0 flex-col gap-1">
        {crumbs !== undefined && (
          <nav aria-label="Breadcrumb" className="text-sm text-ink-3">
            {crumbs}
          </nav>
        )}
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words">{title}</h1>
          {children}
        </div>
      </div>
      {actions !== undefined && <div className="ml-auto flex items-center gap-2">{actions}</div>}
    </div>
  );
}
