import localFont from 'next/font/local';

/**
 * The design's two families, from their packages. Their files are named in the head of every page: text that is first shaped in
 * another font is shaped twice, and finding that other font takes a new browser a tenth of a second.
 */
export const sans = localFont({
  src: [
    {
      path: '../node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2',
      weight: '400',
    },
    {
      path: '../node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-500-normal.woff2',
      weight: '500',
    },
    {
      path: '../node_modules/@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2',
      weight: '600',
    },
  ],
  declarations: [{ prop: 'font-family', value: "'IBM Plex Sans'" }],
  adjustFontFallback: false,
  variable: '--plex-sans',
});

export const mono = localFont({
  src: '../node_modules/@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
  weight: '400',
  declarations: [{ prop: 'font-family', value: "'IBM Plex Mono'" }],
  adjustFontFallback: false,
  variable: '--plex-mono',
});

/** Seldom in a first window, so it is fetched when it is met. */
export const strongMono = localFont({
  src: [
    {
      path: '../node_modules/@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2',
      weight: '500',
    },
    {
      path: '../node_modules/@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-600-normal.woff2',
      weight: '600',
    },
  ],
  declarations: [{ prop: 'font-family', value: "'IBM Plex Mono'" }],
  adjustFontFallback: false,
  variable: '--plex-mono-strong',
  preload: false,
});
