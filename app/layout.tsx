import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { cookies } from 'next/headers';
import { Providers } from '@/components/data/providers';
import { Shell } from '@/components/shell/shell';
import { readTheme, THEME_COOKIE } from '@/components/ui/theme-cookie';
import { mono, sans, strongMono } from './fonts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Stepscope', template: '%s · Stepscope' },
  description: 'A workbench for reinforcement learning of language-model agents in text worlds',
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    // The toggle changes the attribute by itself.
    <html
      lang="en"
      data-theme={theme}
      className={[sans, mono, strongMono].map(({ variable }) => variable).join(' ')}
      suppressHydrationWarning
    >
      <body>
        <Providers>
          <Shell>{children}</Shell>
        </Providers>
      </body>
    </html>
  );
}
