import type { Metadata } from 'next';
import { WorkersScreen } from '@/components/workers/workers-screen';

export const metadata: Metadata = { title: 'Workers' };

export default function WorkersPage() {
  return <WorkersScreen />;
}
