import type { ReactNode } from 'react';
import { headers } from 'next/headers';
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { askApi } from '@/server/runtime';
import type { PagedRead, Read } from '@/components/data/reads';

interface AnsweredProps {
  /** What the screen asks first. */
  reads: readonly (Read<unknown> | PagedRead<unknown>)[];
  children: ReactNode;
}

/**
 * A screen that comes with the answers to its first questions, so that it is drawn before any script has run. Only where
 * its page is opened by its address: within the product the browser asks by itself, and has the frame at once. A question that is
 * refused is left to the screen, which has words for it.
 */
export async function Answered({ reads, children }: AnsweredProps) {
  const client = new QueryClient();
  if ((await headers()).get('sec-fetch-dest') === 'document')
    await Promise.all(reads.map((read) => answer(client, read)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

async function answer(client: QueryClient, read: Read<unknown> | PagedRead<unknown>): Promise<void> {
  const paged = 'pageUrl' in read;
  const response = await askApi(paged ? read.pageUrl(undefined) : read.url);
  if (!response.ok) return;
  const body: unknown = await response.json();
  client.setQueryData(read.queryKey, paged ? { pages: [body], pageParams: [undefined] } : body);
}
