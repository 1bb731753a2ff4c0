import type { Metadata } from 'next';
import { PairScreen } from '@/components/compare/pair-screen';

export const metadata: Metadata = { title: 'Pair' };

export default async function PairPage({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <PairScreen runId={decodeURIComponent(runId)} />;
}
