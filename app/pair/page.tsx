import type { Metadata } from 'next';
import { TrajectoryPairScreen } from '@/components/compare/trajectory-pair-screen';

export const metadata: Metadata = { title: 'Pair' };

export default function TrajectoryPairPage() {
  return <TrajectoryPairScreen />;
}
