import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { asParameters, type SearchParams } from '@/app/search-params';
import { reads } from '@/components/data/reads';
import { readsOfList } from '@/components/trajectory/list-reads';
import { TrajectoriesScreen } from '@/components/trajectory/trajectories-screen';

export const metadata: Metadata = { title: 'Trajectories' };

interface TrajectoriesPageProps {
  params: Promise<{ runId: string }>;
  searchParams: SearchParams;
}

export default async function TrajectoriesPage({ params, searchParams }: TrajectoriesPageProps) {
  const runId = decodeURIComponent((await params).runId);
  return (
    <Answered reads={[reads.run(runId), ...readsOfList(runId, asParameters(await searchParams))]}>
      <TrajectoriesScreen runId={runId} />
    </Answered>
  );
}
