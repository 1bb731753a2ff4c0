import type { Metadata } from 'next';
import { RunScreen } from '@/components/run/run-screen';

interface RunPageProps {
  params: Promise<{ runId: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const { runId } = await params;
  return { title: runId };
}

export default async function RunPage({ params }: RunPageProps) {
  const { runId } = await params;
  return <RunScreen runId={decodeURIComponent(runId)} />;
}
