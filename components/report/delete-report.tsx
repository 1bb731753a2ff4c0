'use client';
import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { Trash2 } from 'lucide-react';
import { useDeleteReport } from '@/components/data/report-queries';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Note } from '@/components/ui/panel';

/** Deletes a report once a person has confirmed it; what it cites stays where it is. */
export function DeleteReport({
  reportId,
  title,
  onDeleted,
}: {
  reportId: string;
  title: string;
  onDeleted: () => void;
}) {
  const [isAsked, setIsAsked] = useState(false);
  const router = useRouter();
  const remove = useDeleteReport();
  const leave = () => {
    onDeleted();
    router.push('/reports');
  };
  return (
    <>
      <Button variant="danger" className="self-start" onClick={() => setIsAsked(true)}>
        <Icon of={Trash2} size="small" /> Delete the report…
      </Button>
      <Dialog
        open={isAsked}
        onOpenChange={setIsAsked}
        title={`Delete “${title}”?`}
        description="Its text and blocks are gone then. The runs, checkpoints and trajectories that it cites stay, and may be deleted from then on."
        footer={
          <>
            <Button onClick={() => setIsAsked(false)}>Keep it</Button>
            <Button
              variant="danger"
              disabled={remove.isPending}
              onClick={() => remove.mutate(reportId, { onSuccess: leave })}
            >
              Delete
            </Button>
          </>
        }
      >
        {remove.error && <Note tone="bad">It was not deleted: {remove.error.message}</Note>}
      </Dialog>
    </>
  );
}
