import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Providers } from '@/components/data/providers';
import { Shell } from '@/components/shell/shell';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Stepscope', template: '%s · Stepscope' },
  description: 'A workbench for reinforcement learning of language-model agents in text worlds',
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The theme script sets data-theme before React wakes.
    <html lang="en" suppressHydrationWarning>
      <head>
        <script src="/theme.js" />
      </head>
      <body>
        <Providers>
          <Shell>{children}</Shell>
        </Providers>
      </body>
    </html>
  );
}
