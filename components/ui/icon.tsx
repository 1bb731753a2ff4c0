import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names';

const SIZES = { small: 'size-3', medium: 'size-3.5', large: 'size-4' } as const;

/** An icon beside a word; the word carries the meaning, so the icon is hidden from readers. */
export function Icon({
  of: Glyph,
  size = 'medium',
  className,
}: {
  of: LucideIcon;
  size?: keyof typeof SIZES;
  className?: string;
}) {
  return (
    <Glyph
      aria-hidden
      strokeWidth={1.75}
      className={classNames('inline-block flex-none', SIZES[size], className)}
    />
  );
}
