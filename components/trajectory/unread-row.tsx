import { TrajectoryId } from '@/contract/action-scores';
import { formatCount } from '@/contract/format';
import { Link } from '@/components/ui/link';

/** Says that the row of the address is not among those that were read, and leads to the trajectory itself. */
export function UnreadRow({ id, read, isWhole }: { id: string; read: number; isWhole: boolean }) {
  if (!TrajectoryId.safeParse(id).success)
    return (
      <p className="text-sm break-all text-warn" role="status">
        The row of the address is no trajectory, so none is selected: {id}
      </p>
    );
  const rows = `${formatCount(read)} ${read === 1 ? 'row' : 'rows'}`;
  return (
    <p className="text-sm text-warn" role="status">
      The row of the address, trajectory {id}, is not among the {rows}{' '}
      {isWhole ? 'that match.' : 'read so far.'}{' '}
      <Link href={`/trajectories/${id}`} className="text-link">
        Open trajectory {id}
      </Link>
    </p>
  );
}
