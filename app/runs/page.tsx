import type { Metadata } from 'next';
import { Answered } from '@/app/answered';
import { reads } from '@/components/data/reads';
import { readRunsFilter } from '@/components/run/runs-filter';
import { RunsScreen } from '@/components/run/runs-screen';
import { asParameters, type SearchParams } from '@/app/search-params';

export const metadata: Metadata = { title: 'Runs' };

export default async function RunsPage({ searchParams }: { searchParams: SearchParams }) {
  const query = readRunsFilter(asParameters(await searchParams));
  const { sort: _sort, direction: _direction, limit: _limit, ...selection } = query;
  return (
    <Answered reads={[reads.runsSummary({}), reads.runsSummary(selection), reads.runPages(query)]}>
      <RunsScreen />
    </Answered>
  );
}
