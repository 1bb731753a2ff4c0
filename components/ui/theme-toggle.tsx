'use client';
import { SunMoon } from 'lucide-react';
import { IconButton } from './button';
import { Icon } from './icon';
import { useKeys } from './key-map';

/** Switches to the theme that is not shown and keeps it; `public/theme.js` applies it before the first paint. */
function toggleTheme(): void {
  const root = document.documentElement;
  const shown =
    root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const next = shown === 'dark' ? 'light' : 'dark';
  root.dataset['theme'] = next;
  localStorage.setItem('theme', next);
}

export function ThemeToggle() {
  useKeys([{ keys: ['T'], label: 'light or dark', run: toggleTheme }]);
  return (
    <IconButton label="Light or dark" onClick={toggleTheme}>
      <Icon of={SunMoon} />
    </IconButton>
  );
}
