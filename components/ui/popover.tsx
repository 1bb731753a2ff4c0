'use client';
import type { ReactNode } from 'react';
import * as Radix from '@radix-ui/react-popover';

/** A floating panel beside a point of the page; `anchor` is laid out by the caller. */
export function Popover({
  open,
  onOpenChange,
  anchor,
  label,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: ReactNode;
  label: string;
  children: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor asChild>{anchor}</Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          className="z-30 w-58 rounded-md border border-line-2 bg-surface text-sm shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
