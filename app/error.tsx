'use client';
import { ErrorState } from '@/components/ui/state-panel';

export default function PageError({ error, reset }: { error: Error; reset: () => void }) {
  return <ErrorState title="This page could not be drawn." message={error.message} onRetry={reset} />;
}
