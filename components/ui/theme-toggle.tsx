'use client';
import { SunMoon } from 'lucide-react';
import { IconButton } from './button';
import { Icon } from './icon';
import { useKeys } from './key-map';
import { THEME_COOKIE } from './theme-cookie';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Switches to the theme that is not shown and keeps it, for the server to draw the next page in. */
function toggleTheme(): void {
  const root = document.documentElement;
  const shown =
    root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const next = shown === 'dark' ? 'light' : 'dark';
  root.dataset['theme'] = next;
  document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

export function ThemeToggle() {
  useKeys([{ keys: ['T'], label: 'light or dark', run: toggleTheme }]);
  return (
    <IconButton label="Light or dark" onClick={toggleTheme}>
      <Icon of={SunMoon} />
    </IconButton>
  );
}
