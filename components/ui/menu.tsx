'use client';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { classNames } from './class-names';

export interface MenuItem {
  title: ReactNode;
  onChoose: () => void;
}

/**
 * A button that opens a list of actions beneath it. Arrows move, Enter and a click choose, Escape, Tab and a click elsewhere
 * close; focus goes back to the button. `button` renders the trigger with what ties it to the list.
 */
export function Menu({
  label,
  items,
  open,
  onOpenChange,
  button,
}: {
  label: string;
  items: readonly MenuItem[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: (trigger: {
    'aria-haspopup': 'menu';
    'aria-expanded': boolean;
    'aria-controls': string | undefined;
    onClick: () => void;
  }) => ReactNode;
}) {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (!open) return;
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !host.current?.contains(event.target)) onOpenChange(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open, onOpenChange]);
  useEffect(() => {
    if (open) host.current?.querySelectorAll<HTMLElement>('[role=menuitem]')[at]?.focus();
  }, [open, at]);
  const close = () => {
    onOpenChange(false);
    host.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setAt((at + by + items.length) % items.length);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') onOpenChange(false);
    else return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <div ref={host} className="relative inline-block">
      {button({
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => {
          setAt(0);
          onOpenChange(!open);
        },
      })}
      {open && (
        <div
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className="absolute top-full right-0 z-30 mt-1 min-w-32 rounded-md border border-line-2 bg-surface py-1 shadow-float"
        >
          {items.map(({ title, onChoose }, index) => (
            <button
              key={index}
              type="button"
              role="menuitem"
              tabIndex={index === at ? 0 : -1}
              onClick={() => {
                close();
                onChoose();
              }}
              className={classNames(
                'flex h-6.5 w-full items-center px-2.5 text-left text-sm whitespace-nowrap',
                'hover:bg-hover focus:bg-hover',
              )}
            >
              {title}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
