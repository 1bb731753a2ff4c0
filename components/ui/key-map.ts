'use client';
import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A key of the page that is open, its words in the key map, and what it does. */
export interface KeyBinding {
  /** `j`, `Enter`, `Shift+ArrowLeft`, `Mod+Enter` (Mod is Command or Ctrl), or two keys in turn: `g r`. */
  keys: readonly string[];
  label: string;
  /** Shown in the status line as well. */
  hint?: boolean;
  run: (event: KeyboardEvent) => void;
}

let registrations: readonly { owner: object; bindings: () => readonly KeyBinding[] }[] = [];
let shown: readonly KeyBinding[] = [];
const watchers = new Set<() => void>();
let pending: { key: string; at: number } | null = null;
const SEQUENCE_MS = 900;

function changed() {
  shown = registrations.flatMap((registration) => registration.bindings());
  for (const watcher of watchers) watcher();
}

/** Every binding in force, newest page last; for the status line and the key map. */
export function useBoundKeys(): readonly KeyBinding[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => shown,
    () => shown,
  );
}

/** Binds keys while the component is on screen. Off while typing, but for `Mod+` keys and Escape. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  const signature = bindings.map((binding) => `${binding.keys.join(' / ')}:${binding.label}`).join('|');
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => {
    const owner = {};
    registrations = [...registrations, { owner, bindings: () => latest.current }];
    changed();
    return () => {
      registrations = registrations.filter((registration) => registration.owner !== owner);
      changed();
    };
  }, [signature]);
}

/** Listens once for the whole page; mounted by the shell. */
export function useKeyListener(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The name a binding uses for a key event: `Shift+` only where the key itself does not already say it. */
export function keyName(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'metaKey' | 'ctrlKey' | 'altKey'>,
): string {
  const key = event.key === ' ' ? 'Space' : event.key;
  const modifier = event.metaKey || event.ctrlKey ? 'Mod+' : '';
  const shift = event.shiftKey && (key.length > 1 || modifier) ? 'Shift+' : '';
  return `${event.altKey ? 'Alt+' : ''}${modifier}${shift}${key}`;
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented) return;
  const name = keyName(event);
  if (isTyping(event.target) && !name.includes('Mod+') && name !== 'Escape') return;
  if (document.querySelector('[role=dialog][data-state=open]') && !isWithinDialog(event.target)) return;
  const sequence = pending && Date.now() - pending.at < SEQUENCE_MS ? `${pending.key} ${name}` : null;
  pending = null;
  const bindings = registrations.flatMap((registration) => registration.bindings()).reverse();
  const found =
    (sequence && bindings.find((binding) => binding.keys.includes(sequence))) ||
    bindings.find((binding) => binding.keys.includes(name));
  if (
    found &&
    !(name === 'Enter' && isActivated(event.target)) &&
    !(name === 'Space' && isActivated(event.target))
  ) {
    event.preventDefault();
    found.run(event);
    return;
  }
  if (bindings.some((binding) => binding.keys.some((keys) => keys.startsWith(`${name} `))))
    pending = { key: name, at: Date.now() };
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

function isWithinDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog]') !== null;
}

/** A focused link or button keeps its own Enter and Space. */
function isActivated(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a[href], button, summary') !== null;
}
