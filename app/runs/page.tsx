import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { reads } from '@/components/data/reads';
import { readRunsFilter, selectionOf } from '@/components/run/runs-filter';
import { RunsScreen } from '@/components/run/runs-screen';
import { asParameters, type SearchParams } from '@/app/search-params';

export const metadata: Metadata = { title: 'Runs' };

export default async function RunsPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readRunsFilter(asParameters(await searchParams));
  return (
    <Answered reads={[reads.runsSummary({}), reads.runsSummary(selectionOf(query)), reads.runPages(query)]}>
      <RunsScreen />
    </Answered>
  );
}
