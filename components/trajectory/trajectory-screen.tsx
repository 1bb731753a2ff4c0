'use client';
import { useMemo } from 'react';
import { useRouter } from 'next/navigation';
import type { TrajectoryDetail } from '@/contract/api';
import { Fetched } from '@/components/data/fetched';
import { useTrajectory, useTurn } from '@/components/data/trajectory-queries';
import { useUrlState } from '@/components/data/url-state';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { KEPT_CHARACTERS } from '@/contract/trajectory-cut';
import { readPosition, writePosition } from './position';
import { readHeat } from './token-heat';
import { TrajectoryView } from './trajectory-view';

/** One trajectory. URL: `t` = turn from 1 or `end`, `open=0` closes the shown turn, `list=0` hides its list,
 * `heat` what tokens are shaded by. */
export function TrajectoryScreen({ trajectoryId }: { trajectoryId: string }) {
  return (
    <Fetched
      query={useTrajectory(trajectoryId)}
      what="the trajectory"
      height={640}
      head={<PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title={`Trajectory ${trajectoryId}`} />}
    >
      {(detail) => <OpenTrajectory detail={detail} />}
    </Fetched>
  );
}

/** Turns that came cut are read whole as they are opened. */
function OpenTrajectory({ detail }: { detail: TrajectoryDetail }) {
  const { params, set } = useUrlState();
  const router = useRouter();
  const { turns } = detail.trajectory;
  const position = readPosition(params.get('t'), turns.length);
  const cut = detail.cut?.[position] ?? null;
  const whole = useTurn(detail.id, cut && position).data;
  // What the environment answers to a turn is what the next one observed.
  const answerIsCut = (turns[position + 1]?.observation.length ?? 0) >= KEPT_CHARACTERS - 1;
  const next = useTurn(detail.id, cut && answerIsCut ? position + 1 : null).data;
  const shown = useMemo(() => {
    const read = [whole, next].filter((turn) => turn !== undefined);
    if (read.length === 0) return detail;
    const merged = read.reduce((all, turn) => all.with(turn.index, turn), turns);
    return { ...detail, trajectory: { ...detail.trajectory, turns: merged } };
  }, [detail, turns, whole, next]);
  return (
    <TrajectoryView
      detail={shown}
      pending={whole ? null : cut}
      state={{
        position,
        open: params.get('open') !== '0',
        list: params.get('list') !== '0',
        heat: readHeat(params.get('heat')),
      }}
      onState={(changes) =>
        set({
          ...(changes.position !== undefined && { t: writePosition(changes.position, turns.length) }),
          ...(changes.open !== undefined && { open: changes.open ? null : '0' }),
          ...(changes.list !== undefined && { list: changes.list ? null : '0' }),
          ...(changes.heat !== undefined && { heat: changes.heat === 'logprob' ? null : changes.heat }),
        })
      }
      visit={(href) => router.push(href)}
    />
  );
}
