'use client';
import { useMemo, type ReactNode } from 'react';
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';

/** An answer of the server that came with the page, as it was given. */
export interface Answer {
  queryKey: readonly unknown[];
  json: string;
  /** The answer is the first page of a list. */
  isPage: boolean;
}

/**
 * Hands answers that came with the page to the query cache, as if they had been asked for at `at`, ms since 1970. They come as
 * text: as objects each of their thousands of values would be written and read one by one.
 */
export function TakeAnswers({
  answers,
  at,
  children,
}: {
  answers: readonly Answer[];
  at: number;
  children: ReactNode;
}) {
  const state = useMemo(() => {
    const client = new QueryClient();
    for (const { queryKey, json, isPage } of answers) {
      const answer: unknown = JSON.parse(json);
      client.setQueryData(queryKey, isPage ? { pages: [answer], pageParams: [undefined] } : answer, {
        updatedAt: at,
      });
    }
    return dehydrate(client);
  }, [answers, at]);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}
