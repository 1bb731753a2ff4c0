'use client';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState, Skeleton } from '@/components/ui/state-panel';

/**
 * Content of a query: a skeleton of its height while the first answer is awaited, the error with a retry where
 * none ever came, else the content, which stays while it is asked for again.
 */
export function Fetched<T>({
  query,
  what,
  height,
  head,
  children,
}: {
  query: UseQueryResult<T>;
  /** What could not be read, for the error's title: `the run`. */
  what: string;
  height: number;
  /** Head of the page for as long as its content, which has its own, is not there. */
  head?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return (
      <>
        {head}
        <ErrorState
          title={`Could not read ${what}.`}
          message={query.error.message}
          onRetry={() => void query.refetch()}
        />
      </>
    );
  return (
    <>
      {head}
      <Skeleton height={height} label={`Loading ${what}`} />
    </>
  );
}
