import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/state-panel';

export default function NotFound() {
  return (
    <EmptyState title="There is no such page." actions={<ButtonLink href="/runs">To the runs</ButtonLink>}>
      The address may be of a page that was renamed.
    </EmptyState>
  );
}
