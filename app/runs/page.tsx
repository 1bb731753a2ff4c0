import type { Metadata } from 'next';
import { RunsScreen } from '@/components/run/runs-screen';

export const metadata: Metadata = { title: 'Runs' };

export default function RunsPage() {
  return <RunsScreen />;
}
