'use client';
import type { ReactNode } from 'react';
import * as Radix from '@radix-ui/react-tooltip';

export const TooltipProvider = Radix.Provider;

/** Words that explain the child on hover and focus. The child must be focusable. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root delayDuration={300}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          className="z-40 max-w-80 rounded-md border border-line-2 bg-surface px-2 py-1 text-sm shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
