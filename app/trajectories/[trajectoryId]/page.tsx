import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { reads } from '@/components/data/reads';
import { TrajectoryScreen } from '@/components/trajectory/trajectory-screen';

export const metadata: Metadata = { title: 'Trajectory' };

export default async function TrajectoryPage({ params }: { params: Promise<{ trajectoryId: string }> }) {
  const trajectoryId = decodeURIComponent((await params).trajectoryId);
  return (
    <Answered reads={[reads.trajectory(trajectoryId)]}>
      <TrajectoryScreen trajectoryId={trajectoryId} />
    </Answered>
  );
}
