import type { ReactNode } from 'react';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';

/** A block that does not say yet what it shows. */
export function UnfinishedBlock({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel>
      <EmptyState title={title}>{children}</EmptyState>
    </Panel>
  );
}
