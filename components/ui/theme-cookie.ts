/** Holds `light` or `dark` where someone chose; else the system's theme is shown. */
export const THEME_COOKIE = 'stepscope-theme';

/** The theme that a cookie's value names; undefined where it names none. */
export function readTheme(value: string | undefined): 'light' | 'dark' | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}
