'use client';
import type { ReactNode } from 'react';
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { IconButton } from './button';
import { Icon } from './icon';

/** A modal dialog: focus stays within, Escape closes, focus returns to where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.35)]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className="fixed top-[12vh] left-1/2 z-40 max-h-[76vh] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 overflow-auto rounded-md border border-line-2 bg-surface shadow-float"
        >
          <div className="flex items-center gap-2 border-b border-line px-3 py-2">
            <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" className="ml-auto">
                <Icon of={X} />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="px-3 py-2.5 text-sm">
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="text-ink-2">{description}</div>
              </Radix.Description>
            )}
            {children}
          </div>
          {footer !== undefined && (
            <div className="flex justify-end gap-2 border-t border-line px-3 py-2">{footer}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
