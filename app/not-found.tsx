import { ButtonLink } from '@/components/ui/button';
import { PageHead } from '@/components/ui/page-head';
import { EmptyState } from '@/components/ui/state-panel';

export default function NotFound() {
  return (
    <>
      <PageHead title="There is no such page" />
      <EmptyState
        title="Nothing is at this address."
        actions={<ButtonLink href="/runs">To the runs</ButtonLink>}
      >
        It may be mistyped, or of a page that was renamed.
      </EmptyState>
    </>
  );
}
