import type { Metadata } from 'next';
import { AllTrajectoriesScreen } from '@/components/trajectory/trajectories-screen';

export const metadata: Metadata = { title: 'Trajectories' };

export default function TrajectoriesPage() {
  return <AllTrajectoriesScreen />;
}
