'use client';
import { useRouter } from 'next/navigation';
import { Fetched } from '@/components/data/fetched';
import { useTrajectory } from '@/components/data/trajectory-queries';
import { useUrlState } from '@/components/data/url-state';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { readPosition, writePosition } from './position';
import { readHeat } from './token-heat';
import { TrajectoryView } from './trajectory-view';

/** One trajectory. URL: `t` = turn from 1 or `end`, `open=0` closes the shown turn, `list=0` hides its list,
 * `heat` what tokens are shaded by. */
export function TrajectoryScreen({ trajectoryId }: { trajectoryId: string }) {
  const query = useTrajectory(trajectoryId);
  const { params, set } = useUrlState();
  const router = useRouter();
  return (
    <Fetched
      query={query}
      what="the trajectory"
      height={640}
      head={<PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title={`Trajectory ${trajectoryId}`} />}
    >
      {(detail) => {
        const turnsCount = detail.trajectory.turns.length;
        return (
          <TrajectoryView
            detail={detail}
            state={{
              position: readPosition(params.get('t'), turnsCount),
              open: params.get('open') !== '0',
              list: params.get('list') !== '0',
              heat: readHeat(params.get('heat')),
            }}
            onState={({ position, open, list, heat }) =>
              set({
                ...(position !== undefined && { t: writePosition(position, turnsCount) }),
                ...(open !== undefined && { open: open ? null : '0' }),
                ...(list !== undefined && { list: list ? null : '0' }),
                ...(heat !== undefined && { heat: heat === 'logprob' ? null : heat }),
              })
            }
            visit={(href) => router.push(href)}
          />
        );
      }}
    </Fetched>
  );
}
