'use client';
import { Link } from '@/components/ui/link';
import { useUrlState } from '@/components/data/url-state';
import { Fetched } from '@/components/data/fetched';
import { useRun } from '@/components/data/run-queries';
import { PageHead } from '@/components/ui/page-head';
import { LaunchForm } from './launch-form';

/** `/launch`: a form for a new run; `?from=RUN` starts from that run's values. */
export function LaunchScreen() {
  const { params } = useUrlState();
  const from = params.get('from');
  return from === null ? (
    <>
      <PageHead title="Launch" />
      <LaunchForm cloned={null} />
    </>
  ) : (
    <CloneForm runId={from} />
  );
}

function CloneForm({ runId }: { runId: string }) {
  const query = useRun(runId);
  return (
    <>
      <PageHead title="Launch">
        <span className="text-sm text-ink-3">
          clone of{' '}
          <Link href={`/runs/${encodeURIComponent(runId)}`} className="text-link">
            {query.data?.run.name ?? runId}
          </Link>
        </span>
      </PageHead>
      <Fetched query={query} what={`run ${runId}`} height={480}>
        {({ run, config }) => (
          <LaunchForm cloned={{ recipe: run.recipe, preset: run.preset, name: run.name, config }} />
        )}
      </Fetched>
    </>
  );
}
