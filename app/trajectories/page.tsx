import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { asParameters, type SearchParams } from '@/app/search-params';
import { readsOfList } from '@/components/trajectory/list-reads';
import { AllTrajectoriesScreen } from '@/components/trajectory/trajectories-screen';

export const metadata: Metadata = { title: 'Trajectories' };

export default async function TrajectoriesPage({ searchParams }: { searchParams: SearchParams }) {
  return (
    <Answered reads={readsOfList(null, asParameters(await searchParams))}>
      <AllTrajectoriesScreen />
    </Answered>
  );
}
