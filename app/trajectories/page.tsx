import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Answered } from '@/app/answered';
import { asParameters, type SearchParams } from '@/app/search-params';
import { readsOfList } from '@/components/trajectory/list-reads';
import { AllTrajectoriesScreen } from '@/components/trajectory/trajectories-screen';

export const metadata: Metadata = { title: 'Trajectories' };

export default async function TrajectoriesPage({ searchParams }: { searchParams: SearchParams }) {
  const given = asParameters(await searchParams);
  const runId = given.get('run');
  if (runId !== null) redirect(pathOfRun(runId, await searchParams));
  return (
    <Answered reads={readsOfList(null, given)}>
      <AllTrajectoriesScreen />
    </Answered>
  );
}

/** The list of one run has an address of its own, with the same filters. */
function pathOfRun(runId: string, { run: _run, ...filters }: Awaited<SearchParams>): string {
  const kept = Object.entries(filters).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return `/runs/${encodeURIComponent(runId)}/trajectories?${new URLSearchParams(kept).toString()}`;
}
