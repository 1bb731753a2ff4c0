'use client';
import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** One of a few choices, all in view. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; title: ReactNode }[];
  onChange: (value: T) => void;
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex overflow-hidden rounded-md border border-line-2 bg-surface"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            'flex h-6 items-center gap-1.25 border-r border-line px-2 text-sm whitespace-nowrap last:border-r-0',
            option.value === value ? 'bg-selected font-medium text-ink' : 'text-ink-2 hover:bg-hover',
          )}
        >
          {option.title}
        </button>
      ))}
    </div>
  );
}
