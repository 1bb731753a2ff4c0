import type { Metadata } from 'next';
import { TrajectoriesScreen } from '@/components/trajectory/trajectories-screen';

export const metadata: Metadata = { title: 'Trajectories' };

export default async function TrajectoriesPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <TrajectoriesScreen runId={decodeURIComponent(runId)} />;
}
