import type { Metadata } from 'next';
import { ProbeShiftScreen } from '@/components/compare/probe-shift-screen';

export const metadata: Metadata = { title: 'Probe' };

export default async function ProbePage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <ProbeShiftScreen runId={decodeURIComponent(runId)} />;
}
