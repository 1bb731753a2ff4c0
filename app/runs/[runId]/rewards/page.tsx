import type { Metadata } from 'next';
import { RewardsScreen } from '@/components/rewards/rewards-screen';

export const metadata: Metadata = { title: 'Rewards' };

export default async function RewardsPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <RewardsScreen runId={decodeURIComponent(runId)} />;
}
