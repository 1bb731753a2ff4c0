import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';
import { TONE_BORDER, type Tone } from './tone';

export function Panel({ className, ...props }: ComponentProps<'section'>) {
  return (
    <section
      {...props}
      className={classNames('min-w-0 rounded-md border border-line bg-surface', className)}
    />
  );
}

/** Title of a panel, its unit or caption in quiet words, and what stands at the right. */
export function PanelHead({
  title,
  caption,
  children,
}: {
  title: ReactNode;
  caption?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-8.5 items-center gap-2 border-b border-line px-2.5 py-1.5">
      <h2 className="whitespace-nowrap">{title}</h2>
      {caption !== undefined && <span className="min-w-0 text-sm text-ink-3">{caption}</span>}
      <div className="ml-auto flex items-center gap-2">{children}</div>
    </div>
  );
}

export function PanelBody({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} className={classNames('p-2.5', className)} />;
}

/** A sentence that matters, with its state at the left edge. */
export function Note({
  tone = 'quiet',
  children,
  role,
}: {
  tone?: Tone;
  children: ReactNode;
  role?: string;
}) {
  return (
    <div
      role={role}
      className={classNames(
        'flex items-start gap-2 rounded-md border border-l-3 border-line bg-surface px-2.5 py-1.75 text-sm',
        TONE_BORDER[tone],
      )}
    >
      {children}
    </div>
  );
}

/** Heading of a part of a page that is no panel. */
export function SectionHead({
  title,
  caption,
  children,
}: {
  title: ReactNode;
  caption?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mt-5.5 mb-2 flex items-baseline first:mt-0 gap-2.5">
      <h2 className="whitespace-nowrap">{title}</h2>
      {caption !== undefined && <span className="min-w-0 text-sm text-ink-3">{caption}</span>}
      <div className="ml-auto flex items-center gap-2">{children}</div>
    </div>
  );
}
