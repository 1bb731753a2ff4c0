import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { reads } from '@/components/data/reads';
import { OPENING_BUCKETS, OPENING_SERIES } from '@/components/run/overview-series';
import { RunScreen } from '@/components/run/run-screen';

interface RunPageProps {
  params: Promise<{ runId: string }>;
  searchParams: Promise<{ tab?: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const { runId } = await params;
  return { title: runId };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const runId = decodeURIComponent((await params).runId);
  const ofRun = [reads.run, reads.evaluations, reads.alerts, reads.metricMarks].map((read) => read(runId));
  const curves = reads.series(runId, OPENING_SERIES, OPENING_BUCKETS);
  const isOverview = (await searchParams).tab === undefined;
  return (
    <Answered reads={isOverview ? [...ofRun, curves] : ofRun}>
      <RunScreen runId={runId} />
    </Answered>
  );
}
