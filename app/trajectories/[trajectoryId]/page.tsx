import type { Metadata } from 'next';
import { TrajectoryScreen } from '@/components/trajectory/trajectory-screen';

export const metadata: Metadata = { title: 'Trajectory' };

export default async function TrajectoryPage({ params }: { params: Promise<{ trajectoryId: string }> }) {
  const { trajectoryId } = await params;
  return <TrajectoryScreen trajectoryId={decodeURIComponent(trajectoryId)} />;
}
