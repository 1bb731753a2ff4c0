import type { ComponentProps } from 'react';
import { Link } from './link';
import { classNames } from './class-names';

const VARIANTS = {
  default: 'border-line-2 bg-surface text-ink hover:bg-hover',
  primary: 'border-ink bg-ink text-ink-inv hover:bg-ink-2 hover:border-ink-2',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-line-2 bg-surface text-bad hover:bg-bad-bg',
} as const;
const SIZES = { medium: 'h-6.5 px-2.25 text-sm', small: 'h-5.5 px-1.75 text-xs' } as const;

interface Look {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

function look({ variant = 'default', size = 'medium' }: Look, className?: string): string {
  return classNames(
    'inline-flex items-center gap-1.5 rounded-md border font-medium whitespace-nowrap no-underline',
    'disabled:cursor-not-allowed disabled:border-line disabled:bg-surface-2 disabled:text-ink-3',
    VARIANTS[variant],
    SIZES[size],
    className,
  );
}

export function Button({ variant, size, className, ...props }: Look & ComponentProps<'button'>) {
  return <button type="button" {...props} className={look({ variant, size }, className)} />;
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({ variant, size, className, ...props }: Look & ComponentProps<typeof Link>) {
  return <Link {...props} className={look({ variant, size }, className)} />;
}

/** A button with an icon alone; `label` is what readers hear. */
export function IconButton({
  label,
  className,
  ...props
}: { label: string } & Omit<ComponentProps<'button'>, 'aria-label'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={classNames(
        'inline-flex size-6.5 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink',
        className,
      )}
    />
  );
}
