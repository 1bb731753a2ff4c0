import type { ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';
import { TONE_TEXT, type Tone } from './tone';

/** A state as a word and an icon; the tone only repeats it. */
export function StateWord({
  icon,
  tone,
  title,
  children,
}: {
  icon: LucideIcon;
  tone: Tone;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex items-center gap-1.25 text-sm font-medium whitespace-nowrap',
        TONE_TEXT[tone],
      )}
    >
      <Icon of={icon} />
      {children}
    </span>
  );
}
