import type { ReactNode } from 'react';
import { headers } from 'next/headers';
import { askApi } from '@/server/runtime';
import { TakeAnswers, type Answer } from '@/components/data/answers';
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
  if ((await headers()).get('sec-fetch-dest') !== 'document') return children;
  const answers = await Promise.all(reads.map(answer));
  return (
    <TakeAnswers answers={answers.filter((each) => each !== null)} at={Date.now()}>
      {children}
    </TakeAnswers>
  );
}

async function answer(read: Read<unknown> | PagedRead<unknown>): Promise<Answer | null> {
  const isPage = 'pageUrl' in read;
  const response = await askApi(isPage ? read.pageUrl(undefined) : read.url);
  if (!response.ok) return null;
  return { queryKey: read.queryKey, json: await response.text(), isPage };
}
