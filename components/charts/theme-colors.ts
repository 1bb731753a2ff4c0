'use client';

/** A colour token, for instance `c1` or `ink-3`. */
export type ColorToken = string;

let probe: HTMLElement | null = null;

/** The token's colour in the theme that is shown, as a canvas can use it. */
export function resolveColor(token: ColorToken): string {
  if (!probe || !probe.isConnected) {
    probe = document.createElement('span');
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(--${token})`;
  return getComputedStyle(probe).color;
}

/** Calls back when the theme changes, by the toggle or by the system. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const media = matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', changed);
  };
}
