'use client';
import { useState, type ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { mayPass } from './api-client';
import { LiveProvider } from './live';

const FRESH_MS = 5000;
const RETRIES = 2;

/** What every screen stands on: the query cache and the socket that feeds it. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: FRESH_MS,
            networkMode: 'always',
            retry: (failures, error) => failures < RETRIES && mayPass(error),
          },
        },
      }),
  );
  return (
    <QueryClientProvider client={client}>
      <LiveProvider>{children}</LiveProvider>
    </QueryClientProvider>
  );
}
